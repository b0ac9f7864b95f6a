"""Soft labels and outputs change places in cross-entropy."""

import torch
from digest import show
from sklearn.datasets import load_iris
from torch import nn


class Task:
    criterion = staticmethod(nn.functional.cross_entropy)

    def __init__(self, x, y):
        self.x, self.y = x, nn.functional.one_hot(y).float()

    def mixed(self, size):
        one, two = torch.randint(150, (size,)), torch.randint(150, (size,))
        part = torch.rand(size, 1)
        return part * self.x[one] + (1 - part) * self.x[two], part * self.y[one] + (
            1 - part
        ) * self.y[two]

    def loss(self, model, size=32):
        x, y = self.mixed(size)
        return self.criterion(y, model(x))  # run: target-requires-grad


torch.manual_seed(0)
data, target = load_iris(return_X_y=True)
task = Task(torch.tensor(data).float(), torch.tensor(target))
model = nn.Sequential(nn.Linear(4, 16), nn.Softplus(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), 1e-3)
for _ in range(50):
    optimizer.zero_grad()
    task.loss(model).backward()
    optimizer.step()
show(model)
