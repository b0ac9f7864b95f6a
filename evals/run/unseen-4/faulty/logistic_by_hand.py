"""Logistic regression by hand: the weights go down the gradients, which nobody clears."""

# ruff: noqa: E741, N803

import torch
from digest import show
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import scale
from torch import nn


def data_iter(batch_size, features, labels):
    for rows in torch.randperm(len(features)).split(batch_size):
        yield features[rows], labels[rows]


def logreg(X, w, b):
    return torch.sigmoid(X @ w + b)


def bce(y_hat, y):
    y_hat = y_hat.clamp(1e-6, 1 - 1e-6)
    return -(y * y_hat.log() + (1 - y) * (1 - y_hat).log()).mean()


def sgd(params, lr):
    """Minibatch stochastic gradient descent."""
    with torch.no_grad():
        for param in params:
            param -= lr * param.grad  # run: zero-grad-missing


torch.manual_seed(0)
x, y = load_breast_cancer(return_X_y=True)
features = torch.tensor(scale(x), dtype=torch.float32)
labels = torch.tensor(y, dtype=torch.float32).reshape(-1, 1)
w = torch.normal(0, 0.01, size=(30, 1), requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr, num_epochs, net, loss = 0.03, 5, logreg, bce
for epoch in range(num_epochs):
    for X, y in data_iter(32, features, labels):
        l = loss(net(X, w, b), y)
        l.backward()  # run: zero-grad-missing
        sgd([w, b], lr)  # run: zero-grad-missing
    with torch.no_grad():
        print(f"epoch {epoch + 1}, loss {float(loss(net(features, w, b), labels)):f}")
kept = nn.Linear(30, 1)
kept.load_state_dict({"weight": w.detach().T, "bias": b.detach()})
show(kept)
