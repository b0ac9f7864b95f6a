# the checkpoint has the lower rate, as after a schedule; equal rates; a scheduler sets the rate
import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, OneCycleLR

x, y = torch.randn(32, 4), torch.randn(32, 1)


def fit(model, optimizer, scheduler=None, decay=1.0):
    for _ in range(4):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        for group in optimizer.param_groups:
            group["lr"] *= decay


def again(lr, make=None, decay=1.0):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    scheduler = make(optimizer) if make else None
    fit(model, optimizer, scheduler, decay)
    other = nn.Linear(4, 1)
    resumed = torch.optim.SGD(other.parameters(), lr=lr)
    schedule = make(resumed) if make else None
    other.load_state_dict(model.state_dict())
    resumed.load_state_dict(optimizer.state_dict())
    if schedule is not None:
        schedule.load_state_dict(scheduler.state_dict())
    fit(other, resumed, schedule, decay)


again(0.1, decay=0.5)
again(0.1)
again(0.1, lambda optimizer: CosineAnnealingLR(optimizer, 8))
again(0.001, lambda optimizer: OneCycleLR(optimizer, 0.1, total_steps=8))
