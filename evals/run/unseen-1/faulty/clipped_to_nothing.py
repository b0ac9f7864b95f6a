"""The bound of the norm was meant for a normalized gradient, and cuts every step by hundreds."""

import torch
from digest import show
from sklearn.datasets import load_diabetes
from torch import nn


class Config:
    lr, bound, steps = 1e-2, 1e-3, 120


def main(config):
    torch.manual_seed(0)
    data = load_diabetes()
    x, y = torch.tensor(data.data).float() * 20, torch.tensor(data.target).float()
    model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=config.lr, momentum=0.9)
    for step in range(config.steps):
        part = torch.randint(len(x), (64,))
        loss = nn.functional.mse_loss(model(x[part]).flatten(), y[part])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), config.bound)  # run: clipped-to-nothing
        optimizer.step()
    print(loss.item())
    show(model)


main(Config)
