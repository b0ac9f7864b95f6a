"""Predictions (B, 1) and targets (B,) are broadcast in a hand-written loss."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def mse(predicted, wanted):
    return ((predicted - wanted) ** 2).mean()


torch.manual_seed(0)
x = torch.randn(128, 8)
loader = DataLoader(TensorDataset(x, x.sum(1)), batch_size=16)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for x, y in loader:
        out = model(x)
        out = out.squeeze(1)
        optimizer.zero_grad()
        mse(out, y).backward()
        optimizer.step()
