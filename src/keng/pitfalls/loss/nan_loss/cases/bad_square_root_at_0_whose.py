# a square root at 0, whose slope is infinite
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(8, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
a = torch.randn(16, 8)
b = a.clone()
optimizer.zero_grad()
distance = torch.sqrt((net(a) - net(b)).square().sum(1))  # run: the distance of equal points
distance.mean().backward()
optimizer.step()
