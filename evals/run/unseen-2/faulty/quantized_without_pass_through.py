"""Weights are rounded to eight levels on their way, and rounding has no slope."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


def rounded(weight, bits=3):
    scale = weight.detach().abs().max() / (2 ** (bits - 1) - 1)
    return torch.round(weight / scale) * scale  # run: graph-cut-by-conversion


class QuantizedLinear(nn.Linear):
    def forward(self, x):
        return F.linear(x, rounded(self.weight), self.bias)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = QuantizedLinear(64, 64)
        self.two = QuantizedLinear(64, 32)
        self.head = nn.Linear(32, 10)

    def forward(self, x):
        return self.head(F.relu(self.two(F.relu(self.one(x)))))  # run: gradients-explode-or-vanish


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data).float() / 16, torch.tensor(digits.target)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), 2e-3)
for epoch in range(5):
    model.train()
    for part in torch.randperm(1500).split(75):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[part]), y[part])
        loss.backward()  # run: gradients-explode-or-vanish or step-not-taken
        optimizer.step()  # run: gradients-explode-or-vanish or step-not-taken
    model.eval()
    with torch.no_grad():
        print(f"{(model(x[1500:]).argmax(1) == y[1500:]).float().mean().item():.3f}")
show(model)
