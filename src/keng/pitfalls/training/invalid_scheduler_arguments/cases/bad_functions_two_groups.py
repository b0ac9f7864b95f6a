# functions for two groups
import torch
from torch import nn

optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
rates = [lambda epoch: 0.9**epoch, lambda epoch: 1.0]
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, rates)  # run: `1 parameter group`
