# the same, without scores; `a number for each class`
import torch
from torch import nn

scores, target = torch.rand(4, 2), torch.rand(4, 2)
criterion = nn.BCELoss(weight=torch.ones(3))
loss = criterion(scores, target)  # run: 3 weights for 2 classes
