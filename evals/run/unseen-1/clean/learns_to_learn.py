"""MAML by second derivatives, through torch.func."""

import torch
from digest import show
from torch import nn
from torch.func import functional_call, grad

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))
optimizer = torch.optim.Adam(model.parameters(), 3e-3)


def loss_of(weights, x, y):
    return ((functional_call(model, weights, (x,)) - y) ** 2).mean()


for _ in range(40):
    total = torch.zeros(())
    for _ in range(3):
        height, shift = torch.rand(()) + 0.5, 3 * torch.rand(())
        x = 4 * torch.rand(20, 1) - 2
        y = height * torch.sin(x + shift)
        weights = dict(model.named_parameters())
        slopes = grad(loss_of)(weights, x[:10], y[:10])
        inner = {name: weights[name] - 0.1 * slopes[name] for name in weights}
        total = total + loss_of(inner, x[10:], y[10:])
    optimizer.zero_grad()
    (total / 3).backward()
    optimizer.step()
print(total.item())
show(model)
