# losses of several batches, summed for one backward
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
pending, count = 0.0, 0
for step in range(8):
    part = model(torch.randn(16, 8)).square().mean() / 4
    pending = pending + part
    count += 1
    if count == 4:
        optimizer.zero_grad()
        pending.backward()
        optimizer.step()
        pending, count = 0.0, 0
