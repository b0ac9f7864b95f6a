"""Similarities of two views go through a softmax before the cross-entropy that has its own."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


def views(images):
    jitter = 1 + 0.2 * torch.randn(2, len(images), 1)
    noise = 0.1 * torch.randn(2, *images.shape)
    return (images * jitter + noise).clamp(0, 1)


class NTXent(nn.Module):
    def __init__(self, temperature=0.2):
        super().__init__()
        self.temperature = temperature

    def forward(self, one, two):
        both = F.normalize(torch.cat([one, two]), dim=1)
        alike = both @ both.t() / self.temperature
        alike = alike.masked_fill(torch.eye(len(both), dtype=torch.bool), -1e9)
        partner = torch.arange(len(both)).roll(len(one))
        chances = alike.softmax(dim=1)
        return F.cross_entropy(chances, partner)  # run: softmax-before-cross-entropy


torch.manual_seed(0)
images = torch.tensor(load_digits().data).float() / 16
encoder = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32))
projector = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 16))
criterion = NTXent()
optimizer = torch.optim.Adam([*encoder.parameters(), *projector.parameters()], 1e-3)
for epoch in range(4):
    for part in torch.randperm(1500).split(100):
        one, two = views(images[part])
        loss = criterion(projector(encoder(one)), projector(encoder(two)))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    print(f"{loss.item():.4f}")
show(encoder, projector)
