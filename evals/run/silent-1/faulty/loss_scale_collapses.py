"""The loss scale falls at each step, and no step is taken."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for step in range(30):
    x, y = torch.randn(16, 8), torch.randint(3, (16,))
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss = loss + (model[0].bias * 0.0).square().sum().sqrt()
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # run: loss-scale-collapses
    scaler.update()  # run: loss-scale-collapses
