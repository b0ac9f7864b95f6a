"""Accuracy is measured in training mode and with gradients, by a function that knows neither."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def build():
    return nn.Sequential(
        nn.Conv2d(1, 12, 3), nn.BatchNorm2d(12), nn.ReLU(),
        nn.Flatten(), nn.Dropout(0.5), nn.Linear(12 * 36, 10),
    )  # fmt: skip


def check_accuracy(loader, model):
    num_correct = num_samples = 0
    for x, y in loader:
        scores = model(x)  # run: eval-mode-missing or validation-records-gradients
        num_correct += (scores.max(1)[1] == y).sum().item()
        num_samples += len(y)
    return num_correct / num_samples


def train(model, optimizer, train_loader, val_loader, epochs=3):
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, f"{loss.item():.3f} {check_accuracy(val_loader, model):.3f}")


torch.manual_seed(0)
digits = load_digits()
full = TensorDataset(torch.tensor(digits.images).float()[:, None] / 16, torch.tensor(digits.target))
train_set, val_set = random_split(full, [1400, len(full) - 1400])
model = build()
train(
    model,
    torch.optim.Adam(model.parameters(), lr=2e-3),
    DataLoader(train_set, 64, shuffle=True),
    DataLoader(val_set, 64),
)
show(model)
