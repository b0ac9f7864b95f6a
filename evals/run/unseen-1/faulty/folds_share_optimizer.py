"""Each fold makes a new model, and the optimizer of the first is used for all."""

import torch
from digest import show
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold
from torch import nn


def build():
    return nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))


def train(model, optimizer, x, y):
    model.train()
    for _ in range(20):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()  # run: parameters-not-optimized or step-not-taken


torch.manual_seed(0)
data, target = load_iris(return_X_y=True)
x, y = torch.tensor(data).float(), torch.tensor(target)
model = build()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for inside, outside in StratifiedKFold(4, shuffle=True, random_state=0).split(data, target):
    train(model, optimizer, x[inside], y[inside])
    model.eval()
    with torch.no_grad():
        print((model(x[outside]).argmax(1) == y[outside]).float().mean().item())
    model = build()
show(model)
