"""A run goes on from its file; the moments and the schedule that are in it are not taken out."""

import io

import torch
from digest import show
from sklearn.datasets import make_regression
from torch import nn


def build():
    torch.manual_seed(3)
    model = nn.Sequential(nn.Linear(12, 48), nn.SiLU(), nn.Linear(48, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=80)
    return model, optimizer, scheduler


def train(model, optimizer, scheduler, x, y, start, stop):
    for step in range(start, stop):
        idx = torch.randint(0, len(x), (32,))
        loss = nn.functional.mse_loss(model(x[idx]), y[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        if step % 20 == 0:
            print(step, f"{loss.item():.4f}")


def save(file, **parts):
    torch.save({name: part.state_dict() for name, part in parts.items()} | {"step": 40}, file)


def resume(file, model):
    checkpoint = torch.load(file, weights_only=True)  # run: resume-incomplete
    model.load_state_dict(checkpoint["model"])  # run: resume-incomplete
    return checkpoint["step"]


x, y = (torch.tensor(a).float() for a in make_regression(600, 12, random_state=0))
y = (y / y.std())[:, None]
model, optimizer, scheduler = build()
train(model, optimizer, scheduler, x, y, 0, 40)
file = io.BytesIO()
save(file, model=model, optimizer=optimizer, scheduler=scheduler)
file.seek(0)

model, optimizer, scheduler = build()
start = resume(file, model)
train(model, optimizer, scheduler, x, y, start, 80)
show(model)
