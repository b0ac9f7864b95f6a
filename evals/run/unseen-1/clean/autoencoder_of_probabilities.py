"""A variational autoencoder: sigmoid and binary cross-entropy, summed, with a divergence of its own."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


class Vae(nn.Module):
    def __init__(self):
        super().__init__()
        self.inward, self.mean, self.spread = nn.Linear(64, 32), nn.Linear(32, 4), nn.Linear(32, 4)
        self.outward = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 64), nn.Sigmoid())

    def forward(self, x):
        h = F.relu(self.inward(x))
        mean, log_spread = self.mean(h), self.spread(h)
        z = mean + torch.randn_like(mean) * torch.exp(0.5 * log_spread)
        return self.outward(z), mean, log_spread


def elbo(again, x, mean, log_spread):
    rebuilt = F.binary_cross_entropy(again, x, reduction="sum")
    return rebuilt - 0.5 * torch.sum(1 + log_spread - mean.pow(2) - log_spread.exp())


torch.manual_seed(0)
x = torch.tensor(load_digits().data).float() / 16
model = Vae()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    for part in torch.randperm(len(x)).split(100):
        rows = x[part]
        optimizer.zero_grad()
        loss = elbo(model(rows)[0], rows, *model(rows)[1:])
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
show(model)
