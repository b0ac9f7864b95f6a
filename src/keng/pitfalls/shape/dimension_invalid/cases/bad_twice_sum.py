# twice in a sum
import torch

total = torch.ones(2, 3).sum(dim=(1, -1))  # run: `dimension 1`
