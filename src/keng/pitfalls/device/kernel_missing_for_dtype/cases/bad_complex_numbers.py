# complex numbers
import torch

wave = torch.fft.fft(torch.ones(4))
high = wave > 1  # run: `.abs()`
