# called
from torch import nn
from torch.optim import SGD

optimizer = SGD(nn.Linear(2, 2).parameters(), lr=0.1)
optimizer()  # run: `optimizer.step()`
