# a vector of another length
import torch

y = torch.ones(2, 3) @ torch.ones(4)  # run: `2x3`
