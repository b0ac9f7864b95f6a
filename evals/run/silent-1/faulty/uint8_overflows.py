"""Bytes are added, and go round at 256."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
images = torch.randint(0, 256, (64, 1, 8, 8), dtype=torch.uint8)
model = nn.Sequential(nn.Flatten(), nn.Linear(64, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(20):
    x = images[torch.randint(64, (16,))]
    x = x + 60  # run: uint8-overflows
    optimizer.zero_grad()
    F.cross_entropy(model(x.float() / 255), torch.randint(3, (16,))).backward()
    optimizer.step()
