"""The optimizer was given what was not frozen, and the rest is thawed later."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn


def freeze(module, frozen=True):
    for parameter in module.parameters():
        parameter.requires_grad = not frozen


torch.manual_seed(0)
x, y = load_digits(return_X_y=True)
x, y = torch.tensor(x).float() / 16, torch.tensor(y)
encoder = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 24))
classifier = nn.Linear(24, 10)
model = nn.Sequential(encoder, nn.ReLU(), classifier)
freeze(encoder)
trainable = [parameter for parameter in model.parameters() if parameter.requires_grad]
optimizer = torch.optim.Adam(trainable, lr=3e-3)
for epoch in range(6):
    if epoch == 2:
        freeze(encoder, frozen=False)
    for rows in torch.randperm(len(x)).split(200):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()  # run: parameters-not-optimized
    print(epoch, round(loss.item(), 3))
show(model)
