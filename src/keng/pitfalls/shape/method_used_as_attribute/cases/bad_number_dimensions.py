# a number of dimensions
import torch

x = torch.ones(3)
if x.dim > 1:  # run: `.dim()`
    x = x.flatten()
