# by a function, and put together anew
import math

import torch
from torch import nn


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = nn.Parameter(torch.ones(()))
        self.a, self.b = nn.Linear(4, 1), nn.Linear(4, 1)

    def forward(self, x):
        width = float(self.width)  # check: a number
        pair = torch.tensor([self.a(x).sum(), self.b(x).sum()])  # check: a new tensor
        return pair.sum() * math.exp(-width)


y = Mixed()(torch.randn(2, 4))

# proof
assert not y.requires_grad
