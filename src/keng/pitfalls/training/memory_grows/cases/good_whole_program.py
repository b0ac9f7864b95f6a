# the good program of the page with its training
from collections import deque

import torch
from torch import nn


class Noted(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 512)
        self.activations = deque(maxlen=16)

    def forward(self, x):
        out = self.layer(x)
        self.activations.append(out.detach())
        return out


torch.manual_seed(0)
model = nn.Sequential(Noted(), nn.ReLU(), nn.Linear(512, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(140):
    optimizer.zero_grad()
    model(torch.randn(64, 8)).square().mean().backward()
    optimizer.step()
