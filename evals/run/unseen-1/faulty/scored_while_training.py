"""Accuracy is measured on held-out data with dropout and batch statistics on."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn


class Accuracy:
    def __init__(self):
        self.right = self.seen = 0

    def __call__(self, logits, labels):
        self.right += (logits.argmax(-1) == labels).sum().item()
        self.seen += len(labels)

    @property
    def value(self):
        return self.right / self.seen


def train(model, optimizer, x, y):
    model.train()
    for part in torch.randperm(len(x)).split(64):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[part]), y[part]).backward()
        optimizer.step()


def test(model, x, y):
    accuracy = Accuracy()
    with torch.no_grad():
        for rows, labels in zip(x.split(100), y.split(100)):
            accuracy(model(rows), labels)  # run: eval-mode-missing
    return accuracy.value


torch.manual_seed(0)
x, y = load_digits(return_X_y=True)
x, y = torch.tensor(x).float() / 16, torch.tensor(y)
model = nn.Sequential(
    nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(), nn.Linear(64, 10)
)
optimizer = torch.optim.Adam(model.parameters(), weight_decay=1e-5)
for _ in range(4):
    train(model, optimizer, x[:1300], y[:1300])
    print(test(model, x[1300:], y[1300:]))
show(model)
