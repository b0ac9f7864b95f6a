# a list for a dict
from torch import nn
from torch.optim import SGD

optimizer = SGD(nn.Linear(2, 2).parameters(), lr=0.1)
rate = optimizer.param_groups["lr"]  # run: `param_groups[0]["lr"]`
