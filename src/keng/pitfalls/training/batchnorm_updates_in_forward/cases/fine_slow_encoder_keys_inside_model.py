# a slow key encoder inside the model, whose weights follow the fast encoder
import copy

import torch
from torch import nn


class Momentum(nn.Module):
    def __init__(self):
        super().__init__()
        self.fast = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        self.slow = copy.deepcopy(self.fast).requires_grad_(False)

    def forward(self, x):
        with torch.no_grad():
            for mine, other in zip(self.slow.parameters(), self.fast.parameters()):
                mine.lerp_(other, 0.1)
            keys = self.slow(x + 0.1)
        return self.fast(x) @ keys.T


torch.manual_seed(0)
model = Momentum()
optimizer = torch.optim.SGD(model.fast.parameters(), lr=0.1)
for step in range(24):
    optimizer.zero_grad()
    model(torch.randn(16, 4)).logsumexp(1).mean().backward()
    optimizer.step()
