# a mask with a channel
import torch
import torch.nn.functional as F

scores, masks = torch.randn(2, 3, 8, 8), torch.zeros(2, 1, 8, 8).long()
loss = F.cross_entropy(scores, masks)  # run: (2, 1, 8, 8) instead of (2, 8, 8)
