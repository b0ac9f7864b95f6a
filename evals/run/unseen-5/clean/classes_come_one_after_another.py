"""Continual learning: pairs of classes one task after another, with a memory; then one class for novelty."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import ConcatDataset, DataLoader, Subset, TensorDataset

torch.manual_seed(0)
digits = load_digits()
y = torch.tensor(digits.target)
full = TensorDataset(torch.tensor(digits.data).float() / 16, y)
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
memory = []
for task in range(0, 10, 2):
    rows = ((y == task) | (y == task + 1)).nonzero().flatten().tolist()
    loader = DataLoader(ConcatDataset([Subset(full, rows), *memory]), 32, shuffle=True)
    for _ in range(2):
        for xb, yb in loader:
            loss = nn.functional.cross_entropy(model(xb), yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    memory.append(Subset(full, rows[:30]))
    with torch.no_grad():
        seen = y <= task + 1
        right = (model(full.tensors[0][seen]).argmax(1) == y[seen]).float().mean().item()
    print(task, f"{right:.3f}")

normal = TensorDataset(full.tensors[0][y == 0], y[y == 0])
coder = nn.Sequential(nn.Linear(64, 8), nn.Tanh(), nn.Linear(8, 64))
optimizer = torch.optim.Adam(coder.parameters(), lr=1e-2)
for epoch in range(5):
    for xb, _ in DataLoader(normal, 32, shuffle=True):
        loss = nn.functional.mse_loss(coder(xb), xb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    error = ((coder(full.tensors[0]) - full.tensors[0]) ** 2).mean(1)
print(f"{error[y == 0].mean().item():.4f} {error[y != 0].mean().item():.4f}")
show(model, coder)
