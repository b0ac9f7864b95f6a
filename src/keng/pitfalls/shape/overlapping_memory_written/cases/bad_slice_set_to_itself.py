# a buffer is shifted by one place
import torch

x = torch.arange(5.0)
x[1:] = x[:-1]  # check: both slices of `x` share memory  # run: the slices overlap
