"""Accumulation that divides, with a step for the rest of an epoch, and logs per step."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = load_digits(return_X_y=True)
loader = DataLoader(TensorDataset(torch.tensor(x).float() / 16, torch.tensor(y)), 32, shuffle=True)
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9, nesterov=True)
EVERY, log = 3, []
for epoch in range(3):
    for n, (rows, labels) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(rows), labels)
        (loss / EVERY).backward()
        log.append({"step": n, "loss": loss.item()})
        if (n + 1) % EVERY == 0 or n + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
print(len(log), round(log[-1]["loss"], 4))
show(model)
