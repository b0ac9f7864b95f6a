"""Low ranks of which one begins at zero: the other has no gradient at the first step."""

import math

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class LoRA(nn.Module):
    def __init__(self, base, rank=4, scale=2.0):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.A = nn.Parameter(torch.empty(rank, base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.scale, self.merged = scale, False

    @torch.no_grad()
    def merge(self):
        self.base.weight += self.scale * self.B @ self.A
        self.merged = True

    def forward(self, x):
        out = self.base(x)
        return out if self.merged else out + self.scale * (x @ self.A.T) @ self.B.T


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(64)
        self.up, self.down, self.drop = nn.Linear(64, 96), nn.Linear(96, 32), nn.Dropout(0.1)
        self.head = nn.Linear(32, 10)

    def forward(self, x):
        h = F.silu(self.down(self.drop(F.silu(self.up(self.norm(x))))))
        return self.head(h)


def fit(model, loader, optimizer, epochs, frozen=()):
    for _ in range(epochs):
        model.train()
        for module in frozen:
            module.eval()
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
    return loss.item()


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data, dtype=torch.float32) / 16, torch.tensor(digits.target)
few, many = y < 5, y >= 5
model = Model()
fit(
    model,
    DataLoader(TensorDataset(x[few], y[few]), 64, shuffle=True),
    torch.optim.Adam(model.parameters(), 2e-3),
    2,
)
model.requires_grad_(False)
model.up, model.down = LoRA(model.up), LoRA(model.down)
model.head = nn.Linear(32, 10)
learned = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.AdamW(learned, 3e-3, weight_decay=0.01)
fit(
    model, DataLoader(TensorDataset(x[many], y[many]), 64, shuffle=True), optimizer, 3, [model.norm]
)
print(f"{accuracy(model, x[many], y[many]):.3f}")
model.up.merge()
model.down.merge()
print(f"{accuracy(model, x[many], y[many]):.3f}")
show(model)
