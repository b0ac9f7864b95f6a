# pairs in order and pairs of zeros
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
first, second = torch.randn(5, requires_grad=True), torch.randn(5)
rank = nn.MarginRankingLoss(margin=1.0)
better = torch.tensor([1, 0, 1, 0, 0]) > 0
wins = better.float()
loss = rank(first, second, wins)  # check: takes 1 and -1
fake = F.soft_margin_loss(first, torch.zeros_like(first))  # check: takes 1 and -1
(loss + fake).backward()

# proof
assert first.grad is not None and first.grad[1] == 0 == first.grad[3]
