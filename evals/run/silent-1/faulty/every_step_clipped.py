"""The bound of the norm lies thousands of times below every gradient."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))
rate = 0.001
optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.9)
for step in range(60):
    x = torch.randn(64, 16)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), 50 + x.sum(1, keepdim=True)).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1e-3)  # run: clipped-to-nothing
    optimizer.step()
