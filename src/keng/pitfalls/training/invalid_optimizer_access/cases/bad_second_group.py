# a second group
from torch import nn
from torch.optim import SGD

optimizer = SGD(nn.Linear(2, 2).parameters(), lr=0.1)
optimizer.param_groups[1]["lr"] = 0.01  # run: no group 1
