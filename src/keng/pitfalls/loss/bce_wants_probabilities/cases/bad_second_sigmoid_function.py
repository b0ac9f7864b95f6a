# a second sigmoid, as a function
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 1)
score = torch.sigmoid(model(torch.randn(16, 8)))
loss = F.binary_cross_entropy_with_logits(score, torch.ones(16, 1))  # check: it has one inside
loss.backward()
