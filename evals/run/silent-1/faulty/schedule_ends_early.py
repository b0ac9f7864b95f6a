"""A schedule meant for epochs is stepped at each batch."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)
for epoch in range(4):
    for step in range(15):
        optimizer.zero_grad()
        F.cross_entropy(model(torch.randn(16, 8)), torch.randint(3, (16,))).backward()
        optimizer.step()
        schedule.step()  # run: learning-rate-vanished
