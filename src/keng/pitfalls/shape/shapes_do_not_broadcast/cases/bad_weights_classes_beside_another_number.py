# weights of the classes beside another number of them; `a number for each class`
import torch
from torch import nn

scores, target = torch.randn(4, 2), torch.rand(4, 2)
criterion = nn.BCEWithLogitsLoss(pos_weight=torch.ones(3))
loss = criterion(scores, target)  # run: 3 and 2 meet
