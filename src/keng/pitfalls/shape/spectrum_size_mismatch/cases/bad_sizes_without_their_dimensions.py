# sizes without their dimensions
import torch

spectrum = torch.fft.fftn(torch.ones(2, 4), s=(2, 2), dim=(0,))  # run: `the same length`
