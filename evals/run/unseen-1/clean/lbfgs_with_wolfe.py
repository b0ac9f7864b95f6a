"""LBFGS with a line search, whose closure clears; the loss it gives is kept as a number."""

import torch
from digest import show
from sklearn.datasets import load_diabetes
from torch import nn

torch.manual_seed(0)
data = load_diabetes()
x, y = torch.tensor(data.data), torch.tensor(data.target)
y = (y - y.mean()) / y.std()
model = nn.Sequential(nn.Linear(10, 8), nn.Tanh(), nn.Linear(8, 1)).double()
optimizer = torch.optim.LBFGS(model.parameters(), max_iter=10, line_search_fn="strong_wolfe")
curve = []


def closure():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x)[:, 0], y)
    loss = loss + 1e-3 * sum(p.square().sum() for p in model.parameters())
    loss.backward()
    curve.append(loss.item())
    return loss


for _ in range(8):
    optimizer.step(closure)
print(len(curve), round(curve[-1], 6))
show(model)
