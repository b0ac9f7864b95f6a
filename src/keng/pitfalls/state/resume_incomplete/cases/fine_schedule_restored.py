# a schedule per epoch that is restored
import io

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR


def parts():
    model = nn.Linear(4, 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    return model, optimizer, CosineAnnealingLR(optimizer, 6)


def fit(model, optimizer, first, last, scheduler=None):
    for epoch in range(first, last):
        for _ in range(5):
            optimizer.zero_grad()
            model(torch.randn(8, 4)).square().mean().backward()
            optimizer.step()
        if scheduler is not None:
            scheduler.step()


torch.manual_seed(0)
for restored in (True, False):
    file = io.BytesIO()
    model, optimizer, scheduler = parts()
    fit(model, optimizer, 0, 3, scheduler)
    states = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "schedule": scheduler.state_dict()}
    torch.save({**states, "epoch": 3}, file)
    file.seek(0)
    checkpoint = torch.load(file)
    model, optimizer, scheduler = parts()
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    if restored:
        scheduler.load_state_dict(checkpoint["schedule"])
    fit(model, optimizer, checkpoint["epoch"], 6, scheduler if restored else None)
