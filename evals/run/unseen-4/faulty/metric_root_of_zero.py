"""Metric learning: the distance of a picture to itself is zero, and its root has no slope there."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Sampler, TensorDataset


class PKSampler(Sampler):
    """P classes, K pictures of each, in every batch."""

    def __init__(self, labels, p=5, k=6, batches=40):
        self.rows = {int(c): (labels == c).nonzero().flatten() for c in labels.unique()}
        self.p, self.k, self.batches = p, k, batches

    def __len__(self):
        return self.batches

    def __iter__(self):
        names = torch.tensor(sorted(self.rows))
        for _ in range(self.batches):
            chosen = names[torch.randperm(len(names))[: self.p]].tolist()
            yield torch.cat([self.pick(c) for c in chosen]).tolist()

    def pick(self, c):
        rows = self.rows[c]
        return rows[torch.randperm(len(rows))[: self.k]]


class Embedder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(64, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, dim)
        )

    def forward(self, x):
        return F.normalize(self.layers(x), dim=1)


def pairwise(z):
    square = (z.unsqueeze(1) - z.unsqueeze(0)).pow(2).sum(-1)
    return square.sqrt()  # run: nan-loss


def batch_hard(z, labels, margin=0.3):
    apart = pairwise(z)  # run: nan-loss
    same = labels.unsqueeze(1) == labels.unsqueeze(0)
    far = (apart * same).max(1).values
    near = (apart + 10.0 * same).min(1).values
    return F.relu(far - near + margin).mean()


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data, dtype=torch.float32) / 16, torch.tensor(digits.target)
loader = DataLoader(TensorDataset(x, y), batch_sampler=PKSampler(y))
model = Embedder()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    seen = []
    for images, labels in loader:
        loss = batch_hard(model(images), labels)  # run: nan-loss
        optimizer.zero_grad()
        loss.backward()  # run: nan-loss
        optimizer.step()
        seen.append(loss.item())
    print(epoch, f"{sum(seen) / len(seen):.4f}")
show(model)
