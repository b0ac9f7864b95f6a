# a tensor that is optimized by hand
import torch
from torch import nn


class Attack(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model.requires_grad_(False)
        self.delta = torch.zeros(8, requires_grad=True)
        self.optimizer = torch.optim.SGD([self.delta], lr=0.1)

    def forward(self, x):
        return self.model(x + self.delta)


attack = Attack(nn.Linear(8, 1))
for step in range(4):
    attack.optimizer.zero_grad()
    attack(torch.ones(2, 8)).mean().backward()
    attack.optimizer.step()
