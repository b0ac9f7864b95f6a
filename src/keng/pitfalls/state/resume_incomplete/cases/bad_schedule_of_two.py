# a schedule of two, whose state counts no steps
import io

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR


def parts():
    model = nn.Linear(4, 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    parts = [LinearLR(optimizer, total_iters=2), CosineAnnealingLR(optimizer, 4)]
    return model, optimizer, SequentialLR(optimizer, parts, [2])


def fit(model, optimizer, scheduler, first, last):
    for epoch in range(first, last):
        for _ in range(5):
            optimizer.zero_grad()
            model(torch.randn(8, 4)).square().mean().backward()
            optimizer.step()
        scheduler.step()


torch.manual_seed(0)
file = io.BytesIO()
model, optimizer, scheduler = parts()
fit(model, optimizer, scheduler, 0, 3)
states = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "schedule": scheduler.state_dict()}
torch.save({**states, "epoch": 3}, file)
file.seek(0)
checkpoint = torch.load(file)  # run: its `schedule` is not restored
model, optimizer, scheduler = parts()
model.load_state_dict(checkpoint["model"])
optimizer.load_state_dict(checkpoint["optimizer"])
fit(model, optimizer, scheduler, checkpoint["epoch"], 6)
# proof
assert scheduler.last_epoch == 3
