# a schedule of batches that continues at the number of the epoch
import math

import torch
from torch import nn

torch.manual_seed(0)


def factor(step, warmup=10, total=100):
    return step / warmup if step < warmup else 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))


def train(optimizer, scheduler, batches):
    for _ in range(batches):
        optimizer.zero_grad()
        model(torch.ones(8, 4)).square().mean().backward()
        optimizer.step()
        scheduler.step()


model = nn.Linear(4, 1)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
train(optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, factor), 60)
state, epoch = optimizer.state_dict(), 5
before = state["param_groups"][0]["lr"]

optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
optimizer.load_state_dict(state)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, factor, last_epoch=epoch)  # run: which this schedule gives at count 60
after = optimizer.param_groups[0]["lr"]
train(optimizer, scheduler, 40)
# proof
assert abs(after - before) > 0.005 and optimizer.param_groups[0]["lr"] > 0.02
