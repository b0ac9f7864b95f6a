"""A generator of steps hands out its losses as they are, and the caller keeps them all."""

import torch
from digest import show
from sklearn.datasets import load_diabetes
from torch import nn
from torch.nn import functional as F


def steps(model, optimizer, x, y, count):
    for n in range(count):
        part = torch.randint(len(x), (64,))
        loss = F.smooth_l1_loss(model(x[part]).squeeze(1), y[part])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield n, loss


torch.manual_seed(0)
data = load_diabetes()
x, y = torch.tensor(data.data).float() * 20, torch.tensor(data.target).float() / 100
model = nn.Sequential(nn.Linear(10, 32), nn.SiLU(), nn.Linear(32, 1))
history = {}
for n, loss in steps(model, torch.optim.NAdam(model.parameters()), x, y, 150):
    history[n] = loss  # run: loss-keeps-graph
print(f"{sum(loss.item() for loss in history.values()) / len(history):.4f}")
show(model)
