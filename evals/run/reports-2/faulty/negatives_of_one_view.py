"""NT-Xent whose negatives hold each sample itself, after Lightning-Universe/lightning-bolts pull 253."""

import torch
import torch.nn.functional as F
from digest import show
from torch import nn


def nt_xent(one, two, temperature):
    out = torch.cat([one, two])
    n = len(out)
    similarity = torch.exp(out @ out.t() / temperature)
    negatives = similarity.sum(1)  # run: self-among-negatives (each sample is a negative of itself)
    positive = torch.exp((one * two).sum(1) / temperature)
    positive = torch.cat([positive, positive])
    return -torch.log(positive / negatives).mean()


class SimCLR(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(24, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 16))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


torch.manual_seed(10)
model = SimCLR()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
rows = torch.randn(512, 24)
for epoch in range(4):
    for x in rows[torch.randperm(512)].split(64):
        loss = nt_xent(model(x + 0.2 * torch.randn_like(x)), model(x + 0.2 * torch.randn_like(x)), 0.2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, f"{loss.item():.4f}")
show(model)
