# rates for two groups
import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR

optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
cycle = OneCycleLR(optimizer, [0.1, 0.2], total_steps=9)  # run: `1 parameter group`
