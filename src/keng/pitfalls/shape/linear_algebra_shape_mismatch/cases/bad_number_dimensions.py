# a number of dimensions
import torch

a, b = torch.ones(2, 3), torch.ones(3, 2)
product = torch.tensordot(a, b, dims=-1)  # run: `dims=-1`
