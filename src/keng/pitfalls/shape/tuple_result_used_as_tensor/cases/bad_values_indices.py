# of values and indices
import torch

best = torch.ones(2, 3).max(dim=1)
rows = best.shape[0]  # run: `.values`
