"""An average of the weights whose two factors are in each other's place: it is the last weights."""

import copy

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class EMA:
    def __init__(self, model, decay=0.999):
        self.model = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for ema, p in zip(self.model.parameters(), model.parameters()):
            ema.mul_(1 - self.decay).add_(p, alpha=self.decay)  # run: average-forgets-at-once


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data).float() / 16, torch.tensor(digits.target)
loader = DataLoader(TensorDataset(x[:1500], y[:1500]), 32, shuffle=True)
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
ema = EMA(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
for epoch in range(3):
    for xb, yb in loader:
        loss = nn.functional.cross_entropy(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update(model)
    with torch.no_grad():
        accuracy = (ema.model(x[1500:]).argmax(1) == y[1500:]).float().mean()
    print(epoch, f"{accuracy:.3f}")
show(model, ema.model)
