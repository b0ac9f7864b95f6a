import copy

import torch
from torch import nn


def net():
    return nn.Sequential(nn.Linear(1, 40), nn.ReLU(), nn.Linear(40, 1))


def task():
    a, p = 0.5 + torch.rand(1) * 4, torch.rand(1) * 3

    def draw(k):
        x = torch.rand(k, 1) * 10 - 5
        return x, a * torch.sin(x + p)
    return draw


def adapt(meta, draw, lr=0.02, steps=3):
    fast = copy.deepcopy(meta)
    inner = torch.optim.SGD(fast.parameters(), lr)
    for _ in range(steps):
        x, y = draw(10)
        loss = nn.functional.mse_loss(fast(x), y)
        inner.zero_grad()
        loss.backward()
        inner.step()
    return fast


meta = net()
outer = torch.optim.Adam(meta.parameters(), 1e-3)
for it in range(10):
    outer.zero_grad()
    shown = 0.0
    for _ in range(4):
        draw = task()
        fast = adapt(meta, draw)
        x, y = draw(10)
        loss = nn.functional.mse_loss(fast(x), y)
        grads = torch.autograd.grad(loss, list(fast.parameters()))
        for p, g in zip(meta.parameters(), grads):
            p.grad = g / 4 if p.grad is None else p.grad + g / 4
        shown += loss.item() / 4
    outer.step()
    if it % 5 == 0:
        print(it, shown)
