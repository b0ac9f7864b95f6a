"""Weights moved by hand: cleared in place, made None, added up on purpose, by `autograd.grad`."""

# ruff: noqa: N803, N806

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn


class Updater:
    def __init__(self, params, lr):
        self.params, self.lr = params, lr

    @torch.no_grad()
    def step(self):
        for p in self.params:
            p -= self.lr * p.grad

    def zero_grad(self):
        for p in self.params:
            if p.grad is not None:
                p.grad.zero_()


def net(X, W, b):
    return torch.log_softmax(X @ W + b, dim=1)


def nll(out, y):
    return -out[range(len(y)), y].mean()


def fresh():
    W = torch.normal(0, 0.01, size=(64, 10), requires_grad=True)
    return W, torch.zeros(10, requires_grad=True)


def batches(size):
    return zip(features.split(size), labels.split(size))


torch.manual_seed(0)
digits = load_digits()
order = torch.randperm(len(digits.target))
features, labels = (
    torch.tensor(digits.data, dtype=torch.float32)[order] / 16,
    torch.tensor(digits.target)[order],
)

W, b = fresh()
updater = Updater([W, b], lr=0.5)
for X, y in batches(64):
    updater.zero_grad()
    loss = nll(net(X, W, b), y)
    loss.backward()
    updater.step()
print(f"{loss.item():.4f}")

V, c = fresh()
for X, y in batches(64):
    loss = nll(net(X, V, c), y)
    loss.backward()
    with torch.no_grad():
        V -= 0.5 * V.grad
        c -= 0.5 * c.grad
    V.grad = c.grad = None
print(f"{loss.item():.4f}")

U, d = fresh()
for turn, (X, y) in enumerate(batches(16), 1):
    (nll(net(X, U, d), y) / 4).backward()
    if turn % 4 == 0:
        for p in (U, d):
            p.data.add_(p.grad, alpha=-0.5)
            p.grad.zero_()

T, e = fresh()
for X, y in batches(64):
    loss = nll(net(X, T, e), y)
    slopes = torch.autograd.grad(loss, [T, e])
    with torch.no_grad():
        T.sub_(slopes[0], alpha=0.5)
        e.sub_(slopes[1], alpha=0.5)
print(f"{loss.item():.4f}")
kept = nn.ModuleList(nn.Linear(64, 10) for _ in range(4))
with torch.no_grad():
    for layer, weight, bias in zip(kept, (W, V, U, T), (b, c, d, e)):
        layer.weight.copy_(weight.T)
        layer.bias.copy_(bias)
show(kept)
