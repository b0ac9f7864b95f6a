# two optimizers step, one is cleared
import torch
from torch import nn


class Learner:
    def __init__(self):
        self.trunk, self.head = nn.Linear(4, 8), nn.Linear(8, 1)
        self.slow = torch.optim.SGD(self.trunk.parameters(), lr=0.01)
        self.fast = torch.optim.SGD(self.head.parameters(), lr=0.1)

    def learn(self, x):
        self.slow.zero_grad()
        loss = self.head(self.trunk(x)).square().mean()
        loss.backward()  # run: `self.fast` has used them
        self.slow.step()
        self.fast.step()  # check: nothing clears the head's


learner = Learner()
for step in range(8):
    learner.learn(torch.randn(16, 4))
