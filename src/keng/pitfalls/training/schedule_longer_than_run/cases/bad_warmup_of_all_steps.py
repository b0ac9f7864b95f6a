# a warm-up that is as long as the whole schedule
import math

import torch
from torch import nn

torch.manual_seed(0)


def warmed(optimizer, total, warmup):
    def factor(step):
        if step < warmup:
            return (step + 1) / warmup
        return max(0.0, 0.5 * (1 + math.cos(math.pi * min(1.0, step / total))))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)  # run: rises over 23 steps


model = nn.Linear(3, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
schedule = warmed(optimizer, 4, 24)
rates = []
for step in range(24):
    optimizer.zero_grad()
    model(torch.randn(4, 3)).square().mean().backward()
    optimizer.step()
    rates += schedule.get_last_lr()
    if step < 23:
        schedule.step()
# proof
assert rates == sorted(rates) and rates[-1] == 0.1
