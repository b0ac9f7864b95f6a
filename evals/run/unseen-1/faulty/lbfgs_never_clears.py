"""The closure of LBFGS does not clear the gradients."""

import torch
from digest import show
from sklearn.datasets import load_iris
from torch import nn

torch.manual_seed(0)
x, y = (torch.tensor(part) for part in load_iris(return_X_y=True))
x = (x.float() - 3.5) / 2
model = nn.Sequential(nn.Linear(4, 12), nn.Tanh(), nn.Linear(12, 3))
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.01, max_iter=5)


def closure():
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()  # run: zero-grad-missing
    return loss


for epoch in range(12):
    print(epoch, round(float(optimizer.step(closure)), 5))  # run: zero-grad-missing
show(model)
