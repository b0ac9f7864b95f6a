# a condition
import torch

mask = torch.tensor([1, 0])
kept = torch.where(mask, torch.ones(2), torch.zeros(2))  # run: `bool()`
