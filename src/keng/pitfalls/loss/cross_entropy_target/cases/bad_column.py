# a column
import torch
import torch.nn.functional as F

scores, labels = torch.randn(4, 3), torch.zeros(4, 1).long()
loss = F.cross_entropy(scores, labels)  # run: (4, 1) instead of (4)
