# the other groups are set, too
import torch
from torch import nn

torch.manual_seed(0)
body, head = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD([{"params": body.parameters()}, {"params": head.parameters()}], lr=0.1)
for step in range(4):
    optimizer.param_groups[0]["lr"] = 0.1 / (step + 1)
    optimizer.param_groups[1]["lr"] = 0.2 / (step + 1)
    optimizer.zero_grad()
    head(body(torch.randn(8, 4))).square().mean().backward()
    optimizer.step()
