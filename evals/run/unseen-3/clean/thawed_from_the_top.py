"""Layers thaw one after another, each in a new group with a smaller rate; frozen ones stay in eval mode."""

import itertools

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset


class Stack(nn.Module):
    def __init__(self, classes):
        super().__init__()
        sizes = [64, 64, 64, 32]
        self.layers = nn.ModuleList(
            nn.Sequential(nn.Linear(a, b), nn.BatchNorm1d(b), nn.ReLU(), nn.Dropout(0.1))
            for a, b in itertools.pairwise(sizes)
        )
        self.head = nn.Linear(32, classes)
        self.frozen = 0

    def freeze(self, count):
        self.frozen = count
        for depth, layer in enumerate(self.layers):
            layer.requires_grad_(depth >= count)
        return self.train(self.training)

    def train(self, mode=True):
        super().train(mode)
        for layer in self.layers[: self.frozen]:
            layer.eval()
        return self

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def epoch(model, loader, optimizer, schedule=None):
    model.train()
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y, label_smoothing=0.05)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if schedule:
            schedule.step()


@torch.inference_mode()
def score(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


torch.manual_seed(4)
digits = load_digits()
x, y = torch.tensor(digits.data, dtype=torch.float32) / 16, torch.tensor(digits.target)
data = TensorDataset(x, y)
low = Subset(data, (y < 5).nonzero().flatten().tolist())
model = Stack(5)
optimizer = torch.optim.AdamW(model.parameters(), 3e-3)
for _ in range(2):
    epoch(model, DataLoader(low, 32, shuffle=True), optimizer)
print(f"{score(model, x[y < 5], y[y < 5]):.3f}")

model.head = nn.Linear(32, 10)
nn.init.zeros_(model.head.bias)
model.freeze(len(model.layers))
every = DataLoader(data, 48, shuffle=True)
optimizer = torch.optim.AdamW(model.head.parameters(), 4e-3, weight_decay=0.02)
for depth in reversed(range(len(model.layers) + 1)):
    model.freeze(depth)
    if depth < len(model.layers):
        rate = 4e-3 * 0.5 ** (len(model.layers) - depth)
        optimizer.add_param_group({"params": model.layers[depth].parameters(), "lr": rate})
    epoch(model, every, optimizer)
    print(depth, f"{score(model, x, y):.3f}", len(optimizer.param_groups))
rest = torch.optim.lr_scheduler.OneCycleLR(
    optimizer, [g["lr"] for g in optimizer.param_groups], total_steps=len(every)
)
epoch(model, every, optimizer, rest)
print(f"{score(model, x, y):.3f}")
show(model)
