"""The units of a layer are dead: their inputs are all negative."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
with torch.no_grad():
    model[0].bias.fill_(0.0)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(30):
    optimizer.zero_grad()
    F.cross_entropy(model(torch.randn(32, 8)), torch.randint(3, (32,))).backward()
    optimizer.step()
