# too many indices
import torch

x = torch.ones(4)
first = x[0, 0]  # check: `x` is 1-dimensional  # run: one dimension
