# a norm that is none
import torch

spectrum = torch.fft.fft(torch.ones(4), norm="orthogonal")  # run: `ortho`
