# rates of their own, and a function for the schedule
import torch
from torch import nn


def set_lr(optimizer, factor):
    group = optimizer.param_groups[0]
    group["lr"] = group["base_lr"] * factor  # check: the head keeps its rate


torch.manual_seed(0)
body, head = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD(
    [
        {"params": body.parameters(), "lr": 0.02, "base_lr": 0.02},
        {"params": head.parameters(), "lr": 0.1, "base_lr": 0.1},
    ]
)
for step in range(4):
    set_lr(optimizer, 1 - step / 4)
    optimizer.zero_grad()
    head(body(torch.randn(8, 4))).square().mean().backward()
    optimizer.step()

# proof
assert [group["lr"] for group in optimizer.param_groups] == [0.005, 0.1]
