"""Validation runs in training mode: functions."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_epoch(model, loader, criterion, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()


@torch.no_grad()
def validate(model, loader, criterion):
    model.eval()
    return sum(criterion(model(x), y).item() for x, y in loader) / len(loader)


torch.manual_seed(0)
data = TensorDataset(torch.randn(128, 8), torch.randint(3, (128,)))
held_out = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
train, val = DataLoader(data, batch_size=16, shuffle=True), DataLoader(held_out, batch_size=32)
model = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.3), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.AdamW(model.parameters())
for epoch in range(3):
    train_epoch(model, train, nn.CrossEntropyLoss(), optimizer)
    validate(model, val, nn.CrossEntropyLoss())
