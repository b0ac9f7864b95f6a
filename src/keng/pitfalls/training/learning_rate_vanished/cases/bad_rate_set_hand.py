# a rate that is set by hand
import math

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(6):
    for batch in torch.utils.data.DataLoader(torch.randn(96, 4), batch_size=8):
        for group in optimizer.param_groups:
            done = min(epoch / 3, 1)
            group["lr"] = 0.05 * (1 + math.cos(math.pi * done))  # run: from 0.1 to 0
        optimizer.zero_grad()
        model(batch).square().mean().backward()
        optimizer.step()
