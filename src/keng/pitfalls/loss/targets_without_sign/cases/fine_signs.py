# targets of 1 and -1; signs; losses that take 0 and 1
import torch
from torch import nn
from torch.nn import functional as F

one, other = torch.randn(5), torch.randn(5)
same = one > other
rank = nn.MarginRankingLoss()
rank(one, other, same.float() * 2 - 1), rank(one, other, torch.sign(one - other))
rank(one, other, torch.ones(5)), rank(one, other, torch.where(same, 1.0, -1.0))
F.soft_margin_loss(one, -torch.ones_like(one))
F.binary_cross_entropy_with_logits(one, same.float())
nn.CosineEmbeddingLoss()(one[None], other[None], torch.tensor([1]))
