"""Biases of minus eight kill every unit of a layer, and all before it with them."""

import torch
from digest import show
from sklearn.datasets import load_breast_cancer
from torch import nn


def start(layer):
    if isinstance(layer, nn.Linear):
        nn.init.xavier_uniform_(layer.weight, gain=0.5)
        nn.init.constant_(layer.bias, -8.0 if layer.out_features == 48 else 0.0)


torch.manual_seed(0)
x, y = load_breast_cancer(return_X_y=True)
x, y = torch.tensor((x - x.mean(0)) / x.std(0)).float(), torch.tensor(y).float()
model = nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 1))
model.apply(start)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loss_of = nn.BCEWithLogitsLoss()
for epoch in range(6):
    for part in torch.randperm(len(x)).split(64):
        loss = loss_of(model(x[part])[:, 0], y[part])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()  # run: gradients-explode-or-vanish
    print(epoch, round(loss.item(), 3))
show(model)
