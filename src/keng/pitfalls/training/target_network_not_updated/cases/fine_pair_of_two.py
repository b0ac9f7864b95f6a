# a loop moves a copy; one module goes over its parameters and those of a list of others; a wrapper is loaded
import copy

import torch
from torch import nn


class Pool:
    def __init__(self, n):
        self.nets = []
        for _ in range(n):
            self.nets.append(nn.Linear(2, 2))
        self.optimizer = torch.optim.SGD([p for net in self.nets for p in net.parameters()], lr=0.1)

    def share(self, i, j):
        self.nets[i].load_state_dict(self.nets[j].state_dict())


def follow(target, net, rate):
    with torch.no_grad():
        for t, p in zip(target.parameters(), net.parameters()):
            t.copy_((1 - rate) * t + rate * p)


net = nn.Linear(2, 2)
target = copy.deepcopy(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
pool = Pool(3)
for step in range(3):
    optimizer.zero_grad()
    net(torch.randn(4, 2)).square().mean().backward()
    optimizer.step()
    follow(target, net, 0.1)
    pool.optimizer.zero_grad()
    pool.nets[0](torch.randn(4, 2)).square().mean().backward()
    pool.optimizer.step()
    pool.share(1, 0)
