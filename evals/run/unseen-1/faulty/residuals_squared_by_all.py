"""Predictions of (batch, 1) meet targets of (batch,) in a loss of the user's own."""

import torch
from digest import show
from sklearn.datasets import load_diabetes
from torch import nn


def log_cosh(prediction, target):
    off = prediction - target  # run: loss-broadcasts
    return (off + nn.functional.softplus(-2 * off) - 0.6931).mean()


def trainer(model, optimizer, loss_function):
    def step(x, y):
        loss = loss_function(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


torch.manual_seed(0)
data = load_diabetes()
x = torch.tensor(data.data).float() * 20
y = (torch.tensor(data.target).float() - 152) / 77
model = nn.Sequential(nn.Linear(10, 20), nn.ELU(), nn.Linear(20, 1))
step = trainer(model, torch.optim.Adam(model.parameters(), 1e-2), log_cosh)
for _ in range(10):
    losses = [step(x[part], y[part]) for part in torch.randperm(len(x)).split(64)]
print(sum(losses) / len(losses))
show(model)
