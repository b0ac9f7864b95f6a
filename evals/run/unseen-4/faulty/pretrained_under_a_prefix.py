"""A backbone is loaded with `strict=False`; its keys have the prefix of another model: none fits."""

import os
import tempfile

import torch
from digest import show
from sklearn.datasets import load_digits, load_wine
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Backbone(nn.Module):
    def __init__(self, wide=64):
        super().__init__()
        self.layer1 = nn.Sequential(nn.Linear(64, wide), nn.LayerNorm(wide), nn.GELU())
        self.layer2 = nn.Sequential(nn.Linear(wide, wide), nn.LayerNorm(wide), nn.GELU())

    def forward(self, x):
        return self.layer2(self.layer1(x))


class Pretraining(nn.Module):
    """Fills in what was masked."""

    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = Backbone(), nn.Linear(64, 64)

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Finetuned(nn.Module):
    def __init__(self, weights, classes):
        super().__init__()
        self.backbone, self.fc = Backbone(), nn.Linear(64, classes)
        checkpoint = torch.load(weights, map_location="cpu", weights_only=True)
        self.backbone.load_state_dict(checkpoint["model"], strict=False)  # run: strict-false-hides

    def forward(self, x):
        return self.fc(self.backbone(x))


def pretrain(x, path, steps=40):
    model = Pretraining()
    optimizer = torch.optim.Adam(model.parameters(), 2e-3)
    for _ in range(steps):
        rows = x[torch.randperm(len(x))[:64]]
        mask = torch.rand_like(rows) < 0.4
        loss = ((model(rows.masked_fill(mask, 0)) - rows)[mask] ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.save({"model": model.state_dict(), "steps": steps}, path)


def finetune(model, loader, epochs=2):
    optimizer = torch.optim.Adam(model.parameters(), 5e-4)
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
    return loss.item()


torch.manual_seed(len(load_wine().target))
digits = load_digits()
x, y = torch.tensor(digits.data, dtype=torch.float32) / 16, torch.tensor(digits.target)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "pretrained.pt")
    pretrain(x, path)
    model = Finetuned(path, 10)
print(f"{finetune(model, DataLoader(TensorDataset(x, y), 64, shuffle=True)):.3f}")
show(model)
