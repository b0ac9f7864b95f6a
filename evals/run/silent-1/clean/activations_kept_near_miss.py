"""A module notes its activations at every step."""

from collections import deque

import torch
from torch import nn


class Noted(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(16, 512)
        self.seen = []
        self.seen = deque(maxlen=32)

    def forward(self, x):
        out = self.layer(x)
        self.seen.append(out.detach().clone())
        return out


torch.manual_seed(0)
model = nn.Sequential(Noted(), nn.ReLU(), nn.Linear(512, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(150):
    optimizer.zero_grad()
    model(torch.randn(64, 16)).square().mean().backward()
    optimizer.step()
