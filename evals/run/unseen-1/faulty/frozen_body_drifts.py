"""A pretrained body is frozen, and its batch norms go on counting."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn


def body():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 8, 3), nn.BatchNorm2d(8)
    )


class Tuned(nn.Module):
    def __init__(self, trunk, classes):
        super().__init__()
        self.trunk = trunk.requires_grad_(False)
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(128, classes))

    def forward(self, x):
        return self.head(self.trunk(x))  # run: batchnorm-updates-in-forward


def run(model, parameters, x, y, steps, lr):
    optimizer = torch.optim.SGD(parameters, lr)
    model.train()
    for _ in range(steps):
        part = torch.randint(len(x), (48,))
        loss = nn.functional.cross_entropy(model(x[part]), y[part])  # run: batchnorm-updates-in-forward
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.images).float()[:, None] / 16, torch.tensor(digits.target)
trunk = body()
first = nn.Sequential(trunk, nn.Flatten(), nn.Linear(128, 10))
print(run(first, first.parameters(), x, y, 30, 0.1))
tuned = Tuned(trunk, 2)
print(run(tuned, tuned.head.parameters(), 1 - x, y % 2, 30, 0.05))
show(tuned)
