"""Gradients do not reach the first of many sigmoids."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
layers = []
for _ in range(14):
    layers += [nn.Linear(16, 16), nn.Sigmoid()]
model = nn.Sequential(*layers, nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(30):
    optimizer.zero_grad()
    F.cross_entropy(model(torch.randn(16, 16)), torch.randint(3, (16,))).backward()
    optimizer.step()  # run: gradients-explode-or-vanish
