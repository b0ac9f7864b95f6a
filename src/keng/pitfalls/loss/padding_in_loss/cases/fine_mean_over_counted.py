# the mean of those that count, a sum, and the mean of torch
import torch
from torch.nn import functional as F

logits, targets = torch.randn(4, 3), torch.tensor([0, 1, -1, -1])
each = F.cross_entropy(logits, targets, ignore_index=-1, reduction="none")
print(each.sum() / (targets != -1).sum(), each[targets != -1].mean())
print(F.cross_entropy(logits, targets, ignore_index=-1, reduction="none").sum())
print(F.cross_entropy(logits, targets, ignore_index=-1))
