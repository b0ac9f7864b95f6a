# the model itself
import torch
from torch import nn

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net, lr=0.1)  # run: `Linear.parameters()`
