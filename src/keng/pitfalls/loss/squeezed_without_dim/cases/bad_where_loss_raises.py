# where the loss raises
import torch
import torch.nn.functional as F
from torch import nn

model, x, y = nn.Linear(4, 1), torch.randn(1, 4), torch.ones(1)
scores = model(x).squeeze()
loss = F.binary_cross_entropy_with_logits(scores, y)  # check: a batch of one
