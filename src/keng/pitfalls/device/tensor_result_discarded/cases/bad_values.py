# values
import torch

scores = torch.randn(4)
mask = torch.tensor([True, False, True, False])
scores.masked_fill(mask, float("-inf"))  # check: masked_fill_ changes the tensor
scores.clamp(min=0)  # check: clamp_ changes the tensor

# proof
assert scores.isfinite().all() and scores.min() < 0
