# the optimizer of another copy
import copy

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net = copy.deepcopy(net)  # check: `net` is replaced here
for step in range(4):
    optimizer.zero_grad()
    net(torch.ones(8, 4)).square().mean().backward()
    optimizer.step()  # run: none of its parameters has ever had a gradient
