# the target is a shallow copy of the network
import copy

import torch
from torch import nn

net = nn.Linear(2, 1)
target = copy.copy(net)  # check: `target` shares the weights of `net`
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
before = target.weight.detach().clone()
for x in torch.ones(3, 4, 2):
    with torch.no_grad():
        goal = 1 + 0.9 * target(x)
    loss = (net(x) - goal).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# proof
assert not torch.equal(target.weight, before)
