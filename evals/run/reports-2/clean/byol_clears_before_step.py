"""Bootstrap your own latent, after lucidrains/byol-pytorch issue 93."""

import copy

import torch
import torch.nn.functional as F
from digest import show
from torch import nn


def mlp(cin, cout):
    return nn.Sequential(nn.Linear(cin, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, cout))


class Byol(nn.Module):
    def __init__(self):
        super().__init__()
        self.online, self.predictor = mlp(20, 16), mlp(16, 16)
        self.target = copy.deepcopy(self.online).requires_grad_(False)

    def forward(self, one, two):
        p = F.normalize(self.predictor(self.online(one)), dim=1)
        with torch.no_grad():
            z = F.normalize(self.target(two), dim=1)
        return (2 - 2 * (p * z).sum(1)).mean()

    @torch.no_grad()
    def update(self, beta=0.98):
        for t, o in zip(self.target.parameters(), self.online.parameters()):
            t.lerp_(o, 1 - beta)


torch.manual_seed(0)
learner = Byol()
optimizer = torch.optim.Adam([p for p in learner.parameters() if p.requires_grad], lr=3e-4)
rows = torch.randn(256, 20)
for epoch in range(4):
    for x in rows[torch.randperm(256)].split(32):
        loss = learner(x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        learner.update()
    print(epoch, f"{loss.item():.4f}")
show(learner)
