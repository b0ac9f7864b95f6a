# of all parameters
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
slow = torch.optim.SGD(net.parameters(), lr=0.01)
fast = torch.optim.Adam(net.parameters(), lr=0.1)  # check: `slow` has them too
for step in range(4):
    slow.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    slow.step()
    fast.step()  # run: `slow` has moved them
