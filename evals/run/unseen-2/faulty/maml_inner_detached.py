"""The adapted weights of an inner loop are cut from those that the outer loop is to learn."""

import torch
from digest import show
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F


def sines(count):
    for _ in range(count):
        height, shift = torch.rand(2) * torch.tensor([4.0, 3.0]) + 0.1
        x = torch.rand(20, 1) * 10 - 5
        y = height * torch.sin(x + shift)
        yield (x[:10], y[:10]), (x[10:], y[10:])


def adapted(model, x, y, rate=0.01, steps=2):
    weights = dict(model.named_parameters())
    for _ in range(steps):
        loss = F.mse_loss(functional_call(model, weights, (x,)), y)
        gradients = torch.autograd.grad(loss, list(weights.values()))
        weights = {
            name: (value - rate * gradient).detach().requires_grad_()  # run: graph-cut-by-conversion
            for (name, value), gradient in zip(weights.items(), gradients)
        }
    return weights


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 40), nn.ReLU(), nn.Linear(40, 40), nn.ReLU(), nn.Linear(40, 1))
outer = torch.optim.Adam(model.parameters(), lr=1e-3)
for turn in range(50):
    outer.zero_grad()
    total = 0
    for support, query in sines(4):
        weights = adapted(model, *support)
        total = total + F.mse_loss(functional_call(model, weights, (query[0],)), query[1])
    (total / 4).backward()  # run: step-not-taken
    outer.step()  # run: step-not-taken
    if turn % 10 == 0:
        print(f"{total.item() / 4:.4f}")
show(model)
