"""Validation rows of another season are standardized by their own mean and deviation."""

import numpy as np
import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, x, y):
        self.x = (x - x.mean(0)) / x.std(0)  # run: evaluation-standardized-by-itself
        self.y = y

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return torch.tensor(self.x[i]).float(), torch.tensor(self.y[i]).float()


rng = np.random.default_rng(0)
weights = rng.normal(size=8)


def season(count, shift):
    x = rng.normal(size=(count, 8)) + shift
    return x, x @ weights + 0.1 * rng.normal(size=count)


torch.manual_seed(0)
train = Rows(*season(800, 0.0))
val = Rows(*season(200, 1.5))
train_loader = DataLoader(train, batch_size=32, shuffle=True)
val_loader = DataLoader(val, batch_size=100)
net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
loss_fn = nn.MSELoss()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(8):
    net.train()
    for x, y in train_loader:
        loss = loss_fn(net(x).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        errors = [loss_fn(net(x).squeeze(1), y).item() for x, y in val_loader]
    print(epoch, f"{loss.item():.4f}", f"{np.mean(errors):.4f}")
show(net)
