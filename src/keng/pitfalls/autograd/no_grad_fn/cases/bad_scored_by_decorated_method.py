# the loss comes from a method that records nothing, two calls away from its backward
import torch
from torch import nn


class Agent:
    def __init__(self):
        self.net = nn.Linear(3, 1)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    @torch.no_grad()
    def score(self, x):
        return self.net(x)

    def loss(self, x):
        return self.score(x).square().mean()

    def learn(self, x):
        self.optimizer.zero_grad()
        self.loss(x).backward()  # check: `self.loss(x)` depends on nothing  # run: loss
        self.optimizer.step()


Agent().learn(torch.randn(4, 3))
