# one group; the first group has its own rate on purpose; one that begins at zero; the rate is only read
import torch
from torch import nn

torch.manual_seed(0)
body, head = nn.Linear(4, 8), nn.Linear(8, 1)
single = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
single.param_groups[0]["lr"] = 0.05
own = torch.optim.SGD(
    [
        {"params": body.parameters(), "lr": 0.01},
        {"params": head.parameters(), "lr": 0.1},
    ]
)
own.param_groups[0]["lr"] = 0.02
frozen = torch.optim.SGD(
    [{"params": body.parameters(), "lr": 0.0}, {"params": head.parameters(), "lr": 0.1}]
)


def update_lr(optimizer, rate):
    optimizer.param_groups[0]["lr"] = rate


update_lr(frozen, 0.01)
print(own.param_groups[0]["lr"])
for optimizer in (single, own, frozen):
    optimizer.zero_grad()
    head(body(torch.randn(8, 4))).square().mean().backward()
    optimizer.step()
