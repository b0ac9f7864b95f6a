# the scheduler catches up with the epochs of an earlier run, and the optimizer steps first in each new one
import torch
from torch import nn


class Trainer:
    def __init__(self, start):
        self.net = nn.Linear(2, 1)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=1e-3)
        self.optimizer.step()
        self.decay = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, 0.5)
        for _ in range(start):
            self.decay.step()

    def learn(self, batches):
        for x in batches:
            self.optimizer.zero_grad()
            self.net(x).square().mean().backward()
            self.optimizer.step()

    def fit(self, epochs):
        for epoch in range(epochs):
            self.learn(torch.randn(2, 4, 2))
            self.decay.step()


Trainer(2).fit(2)
