# the frozen part stays in eval mode, by its own `train` or by a later switch; unfrozen later; partly frozen
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.backbone(x))


class Kept(Base):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        self.backbone.requires_grad_(False)

    def train(self, mode=True):
        super().train(mode)
        self.backbone.eval()
        return self


class Partly(Base):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        for name, p in self.backbone.named_parameters():
            if name.startswith("0"):
                p.requires_grad = False


class Frozen(Base):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        self.backbone.requires_grad_(False)


def fit(model, data):
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
    model.train()
    for x in data:
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def fit_frozen(model, data):
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
    model.train()
    model.backbone.eval()
    for x in data:
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


data = torch.randn(3, 16, 4) + 3
fit(Kept(), data)
fit(Partly(), data)
fit_frozen(Frozen(), data)
