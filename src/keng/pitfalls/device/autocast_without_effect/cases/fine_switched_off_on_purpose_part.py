# switched off on purpose; a part of the model only; a head on frozen features; no matrix products; weights that are small already; compiled
import torch
from torch import nn


class Exact(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        with torch.autocast("cpu", enabled=False):
            return self.fc(x.float())


class Probe(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 8).requires_grad_(False), nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.body(x))


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows, self.scale = nn.Embedding(8, 3), nn.Parameter(torch.ones(3))

    def forward(self, x):
        return self.rows(x.abs().long().sum(1) % 8) * self.scale


torch.manual_seed(0)
mixed = nn.Sequential(nn.Linear(4, 4), Exact())
half = nn.Linear(4, 3).bfloat16()
compiled = torch.compile(nn.Linear(4, 3), backend="eager")
for model in (Exact(), mixed, Probe(), Table(), half, compiled):
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    for step in range(3):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = model(torch.randn(8, 4))
        out.float().square().mean().backward()
        optimizer.step()
