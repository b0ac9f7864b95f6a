"""The slow copy that makes the targets is made once and never follows."""

import copy

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


class Byol(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, width))
        self.slow = copy.deepcopy(self.online)
        self.guess = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
        for parameter in self.slow.parameters():
            parameter.requires_grad_(False)

    @torch.no_grad()
    def follow(self, rate=0.99):
        for slow, fast in zip(self.slow.parameters(), self.online.parameters()):
            slow = slow * rate + fast * (1 - rate)  # run: target-network-not-updated

    def forward(self, one, two):
        with torch.no_grad():
            goals = self.slow(two), self.slow(one)
        guesses = self.guess(self.online(one)), self.guess(self.online(two))
        return sum(2 - 2 * F.cosine_similarity(*pair).mean() for pair in zip(guesses, goals))


def view(x):
    return (x * (1 + 0.2 * torch.randn(len(x), 1)) + 0.1 * torch.randn_like(x)).clamp(0, 1)


torch.manual_seed(0)
x = torch.tensor(load_digits().data).float() / 16
model = Byol()
optimizer = torch.optim.Adam([*model.online.parameters(), *model.guess.parameters()], 1e-3)
for epoch in range(5):
    for part in torch.randperm(1500).split(100):
        loss = model(view(x[part]), view(x[part]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        model.follow()
    print(f"{loss.item():.4f}")
show(model)
