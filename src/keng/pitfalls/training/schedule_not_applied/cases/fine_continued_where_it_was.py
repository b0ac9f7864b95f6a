# a schedule that continues where it was, one step off, or with another length; a new warm-up for new data
import math

import torch
from torch import nn

torch.manual_seed(0)


def cosine(total, warmup=4):
    def factor(step):
        return step / warmup if step < warmup else 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))

    return factor


def train(optimizer, scheduler, batches):
    for _ in range(batches):
        optimizer.zero_grad()
        model(torch.ones(8, 4)).square().mean().backward()
        optimizer.step()
        scheduler.step()


model = nn.Linear(4, 1)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
train(optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, cosine(40)), 12)
state = optimizer.state_dict()
for total, last in ((40, 11), (40, 12), (37, 11), (40, -1)):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    optimizer.load_state_dict(state)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, cosine(total), last_epoch=last)
    train(optimizer, scheduler, total - max(last, 0) - 1)
