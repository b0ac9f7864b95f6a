# needs: nothing
# the columns that other rows chose
import torch

torch.manual_seed(0)
scores = torch.randn(4, 3)
best = scores.argmax(dim=1)
highest = scores[:, best]  # check: the result is (B, B)
mask = torch.zeros(4, 3)

# proof
assert highest.shape == (4, 4)
