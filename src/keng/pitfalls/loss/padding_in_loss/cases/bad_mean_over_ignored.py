# each target has its loss, and the mean counts the zeros of those that are ignored
import torch
from torch.nn import functional as F

torch.manual_seed(0)
logits, targets = torch.randn(4, 3), torch.tensor([0, 1, -1, -1])
each = F.cross_entropy(logits, targets, ignore_index=-1, reduction="none")
loss = each.mean()  # check: this mean divides by all targets

# proof
assert torch.allclose(2 * loss, F.cross_entropy(logits, targets, ignore_index=-1))
