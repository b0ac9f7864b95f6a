"""Quantiles of a table: predictions of shape (N, 1) less targets of shape (N) make a square."""

from collections import OrderedDict

import torch
from digest import show
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Table(Dataset):
    def __init__(self, x, y):
        self.x = torch.as_tensor(x, dtype=torch.float32)
        self.y = torch.as_tensor(y, dtype=torch.float32)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class PinballLoss(nn.Module):
    def __init__(self, quantile):
        super().__init__()
        self.quantile = quantile

    def forward(self, output, target):
        error = target - output  # run: loss-broadcasts
        return torch.max(self.quantile * error, (self.quantile - 1) * error).mean()


def build(features, hidden=(32, 16), dropout=0.1):
    layers, width = OrderedDict(), features
    for i, each in enumerate(hidden):
        layers[f"fc{i}"] = nn.Linear(width, each)
        layers[f"act{i}"] = nn.ReLU()
        layers[f"drop{i}"] = nn.Dropout(dropout)
        width = each
    layers["out"] = nn.Linear(width, 1)
    return nn.Sequential(layers)


def run(loader, model, criterion, optimizer=None):
    total, rows = 0.0, 0
    model.train(optimizer is not None)
    with torch.set_grad_enabled(optimizer is not None):
        for x, y in loader:
            loss = criterion(model(x), y)  # run: loss-broadcasts
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * len(x)
            rows += len(x)
    return total / rows


torch.manual_seed(42)
x, y = load_diabetes(return_X_y=True)
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.25, random_state=42)
scaler, target = StandardScaler().fit(x_train), StandardScaler().fit(y_train[:, None])
train = Table(scaler.transform(x_train), target.transform(y_train[:, None])[:, 0])
test = Table(scaler.transform(x_test), target.transform(y_test[:, None])[:, 0])
model, criterion = build(10), PinballLoss(0.9)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
loaders = DataLoader(train, 32, shuffle=True), DataLoader(test, 128)
for epoch in range(5):
    print(
        epoch,
        f"{run(loaders[0], model, criterion, optimizer):.4f} {run(loaders[1], model, criterion):.4f}",
    )
show(model)
