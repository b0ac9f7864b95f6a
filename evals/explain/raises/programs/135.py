# argument: 0
import numpy as np
from scipy.signal import resample_poly

signal = np.ones(100)
rate = 16000
resampled = resample_poly(signal, rate // 32000, 2)
