# argument: sound
import numpy as np
from scipy.io import wavfile

sound = np.zeros(100, dtype=np.complex64)
wavfile.write("/tmp/keng_eval.wav", 8000, sound)
