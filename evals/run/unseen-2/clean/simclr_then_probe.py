"""Contrastive learning, after which the projector is dropped and a probe learns on frozen features."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


def view(images):
    images = torch.where(torch.rand_like(images) < 0.1, torch.zeros(()), images)
    return images + 0.05 * torch.randn_like(images)


def contrast(one, two, temperature=0.5):
    both = F.normalize(torch.cat([one, two]), dim=1)
    alike = both @ both.T / temperature
    alike.fill_diagonal_(float("-inf"))
    return F.cross_entropy(alike, torch.arange(len(both)).roll(len(one)))


torch.manual_seed(0)
digits = load_digits()
images, labels = torch.tensor(digits.data).float() / 16, torch.tensor(digits.target)
encoder = nn.Sequential(nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 32))
projector = nn.Linear(32, 16)
optimizer = torch.optim.SGD(
    [{"params": encoder.parameters()}, {"params": projector.parameters()}], 0.1
)
for epoch in range(3):
    for part in torch.randperm(1500).split(150):
        x = images[part]
        loss = contrast(projector(encoder(view(x))), projector(encoder(view(x))))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(f"{loss.item():.4f}")

encoder.eval()
probe = nn.Linear(32, 10)
optimizer = torch.optim.Adam(probe.parameters(), 1e-2)
for epoch in range(5):
    for part in torch.randperm(1500).split(150):
        with torch.no_grad():
            seen = encoder(images[part])
        loss = F.cross_entropy(probe(seen), labels[part])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    print(f"{(probe(encoder(images[1500:])).argmax(1) == labels[1500:]).float().mean():.3f}")
show(encoder, projector, probe)
