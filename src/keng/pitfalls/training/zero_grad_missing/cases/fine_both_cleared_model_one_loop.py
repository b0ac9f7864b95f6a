# both are cleared: by the model, in one loop, in another method
import torch
from torch import nn


class Learner:
    def __init__(self):
        self.trunk, self.head = nn.Linear(4, 8), nn.Linear(8, 1)
        self.net = nn.Sequential(self.trunk, self.head)
        self.slow = torch.optim.SGD(self.trunk.parameters(), lr=0.01)
        self.fast = torch.optim.SGD(self.head.parameters(), lr=0.1)

    def both(self, x):
        self.slow.zero_grad()
        self.fast.zero_grad()
        self.net(x).square().mean().backward()
        self.slow.step()
        self.fast.step()

    def whole(self, x):
        self.net.zero_grad()
        self.net(x).square().mean().backward()
        self.slow.step()
        self.fast.step()

    def each(self, x):
        for optimizer in (self.slow, self.fast):
            optimizer.zero_grad()
        self.net(x).square().mean().backward()
        self.slow.step()
        self.fast.step()


learner = Learner()
for step in range(3):
    x = torch.randn(16, 4)
    learner.both(x)
    learner.whole(x)
    learner.each(x)
