# too many indices
import torch

x = torch.ones(4)
first = x[0, 0]  # run: one dimension
