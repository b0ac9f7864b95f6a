# nothing to transform
import torch

spectrum = torch.fft.fft(torch.ones(0))  # run: `0 points`
