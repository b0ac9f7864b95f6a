"""A frozen body stays in eval mode whatever the trainer calls."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn


class Probe(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body, self.head = body.requires_grad_(False), nn.Linear(32, 10)

    def train(self, mode=True):
        super().train(mode)
        self.body.eval()
        return self

    def forward(self, x):
        with torch.no_grad():
            features = self.body(x)
        return self.head(features)


torch.manual_seed(0)
x, y = load_digits(return_X_y=True)
x, y = torch.tensor(x).float() / 16, torch.tensor(y)
body = nn.Sequential(nn.Linear(64, 32), nn.BatchNorm1d(32), nn.ReLU())
for part in x.split(100):
    body(part)
probe = Probe(body).train()
optimizer = torch.optim.Adam((p for p in probe.parameters() if p.requires_grad), 1e-2)
for epoch in range(3):
    for part in torch.randperm(1500).split(100):
        optimizer.zero_grad()
        nn.functional.cross_entropy(probe(x[part]), y[part]).backward()
        optimizer.step()
    probe.eval()
    with torch.no_grad():
        print(epoch, (probe(x[1500:]).argmax(1) == y[1500:]).float().mean().item())
    probe.train()
show(probe)
