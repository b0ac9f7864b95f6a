"""Metric learning: proxies in the loss have a rate of their own, and roots are kept from zero."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


class ProxyLoss(nn.Module):
    def __init__(self, classes, dim, scale=8.0):
        super().__init__()
        self.proxies = nn.Parameter(torch.randn(classes, dim))
        self.scale = scale

    def forward(self, z, labels):
        return F.cross_entropy(self.scale * z @ F.normalize(self.proxies, dim=1).T, labels)


def triplet(z, labels, margin=0.2):
    square = (z[:, None] - z[None]).square().sum(-1)
    apart = square.clamp(min=1e-12).sqrt()
    same = labels[:, None] == labels[None]
    far = apart.masked_fill(~same, 0).amax(1)
    near = apart.masked_fill(same, float("inf")).amin(1)
    return F.softplus(far - near + margin).mean()


class Embedder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(inplace=True), nn.Linear(64, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


@torch.inference_mode()
def recall_at_1(model, x, y):
    model.eval()
    z = model(x)
    scores = (z @ z.T).fill_diagonal_(-1)
    model.train()
    return (y[scores.argmax(1)] == y).float().mean().item()


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data, dtype=torch.float32) / 16, torch.tensor(digits.target)
sampler = WeightedRandomSampler(1.0 / torch.bincount(y)[y], 960)
loader = DataLoader(TensorDataset(x, y), 48, sampler=sampler, drop_last=True)
model, criterion = Embedder(16), ProxyLoss(10, 16)
optimizer = torch.optim.Adam(
    [{"params": model.parameters()}, {"params": criterion.parameters(), "lr": 2e-2}], lr=1e-3
)
for epoch in range(3):
    for images, labels in loader:
        z = model(images)
        loss = criterion(z, labels) + 0.5 * triplet(z, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, f"{loss.item():.4f} {recall_at_1(model, x[:500], y[:500]):.3f}")
show(model, criterion)
