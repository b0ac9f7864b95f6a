# the larger of two
import torch

a, b = torch.ones(2), torch.zeros(2)
best = max(a, b)  # run: `torch.maximum(a, b)`
