# names beside the parameters
import torch
from torch import nn

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.state_dict(), lr=0.1)  # run: `[group]`
