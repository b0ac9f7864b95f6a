# without parentheses
import torch
from torch import nn

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters, lr=0.1)  # run: parentheses
