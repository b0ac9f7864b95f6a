"""Targets that were not measured are NaN; `where` takes them out of the loss, and not out of its gradient."""

import torch
from digest import show
from sklearn.datasets import load_linnerud, make_regression
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Assays(Dataset):
    """Three targets a molecule, and many of them missing."""

    def __init__(self, count=400, missing=0.3):
        x, y = make_regression(count, 12, n_informative=8, n_targets=3, noise=2.0, random_state=0)
        rng = torch.Generator().manual_seed(0)
        self.x = torch.tensor(x, dtype=torch.float32)
        self.y = torch.tensor(y / y.std(0), dtype=torch.float32)
        self.y[torch.rand(self.y.shape, generator=rng) < missing] = float("nan")

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


class Multitask(nn.Module):
    def __init__(self, tasks=3):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(12, 48), nn.SiLU(), nn.LayerNorm(48))
        self.towers = nn.ModuleList(
            nn.Sequential(nn.Linear(48, 16), nn.SiLU(), nn.Linear(16, 1)) for _ in range(tasks)
        )

    def forward(self, x):
        h = self.trunk(x)
        return torch.cat([tower(h) for tower in self.towers], 1)


def masked_loss(pred, target):
    error = (pred - target) ** 2  # run: nan-loss
    error = torch.where(torch.isnan(target), torch.zeros_like(error), error)
    return error.sum() / (~torch.isnan(target)).sum()


def epoch_of(model, loader, optimizer):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = masked_loss(model(x), y)  # run: nan-loss
        loss.backward()  # run: nan-loss
        optimizer.step()
        total += loss.item()
    return total / len(loader)


torch.manual_seed(0)
rows = load_linnerud().target.shape[0]
model, loader = Multitask(), DataLoader(Assays(), batch_size=rows, shuffle=True)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(3):
    print(epoch, f"{epoch_of(model, loader, optimizer):.4f}")
show(model)
