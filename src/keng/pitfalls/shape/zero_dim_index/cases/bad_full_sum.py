# a full sum
import torch

total = torch.ones(4).sum()
running = 0.0
running += total[0]  # check: `total has no dimensions`
