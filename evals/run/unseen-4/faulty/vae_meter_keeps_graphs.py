"""A variational autoencoder's meters average losses that have their graphs."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class AverageMeter:
    """Computes and stores the average and current value."""

    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val  # run: loss-keeps-graph
        self.sum += val * n  # run: loss-keeps-graph
        self.count += n
        self.avg = self.sum / self.count  # run: loss-keeps-graph


class VAE(nn.Module):
    def __init__(self, wide=48, code=6):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, wide), nn.ReLU())
        self.mu, self.logvar = nn.Linear(wide, code), nn.Linear(wide, code)
        self.decoder = nn.Sequential(nn.Linear(code, wide), nn.ReLU(), nn.Linear(wide, 64))

    def reparameterize(self, mu, logvar):
        if not self.training:
            return mu
        return mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)

    def forward(self, x):
        h = self.encoder(x)
        mu, logvar = self.mu(h), self.logvar(h)
        return self.decoder(self.reparameterize(mu, logvar)), mu, logvar


def loss_function(logits, x, mu, logvar, beta=1.0):
    bce = F.binary_cross_entropy_with_logits(logits, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return (bce + beta * kld) / len(x)


def train(epoch, model, loader, optimizer, meter):
    model.train()
    meter.reset()
    for (data,) in loader:
        optimizer.zero_grad()
        loss = loss_function(*(lambda out: (out[0], data, *out[1:]))(model(data)))
        loss.backward()
        optimizer.step()
        meter.update(loss, data.size(0))  # run: loss-keeps-graph
    print(f"epoch {epoch} {meter.name} {float(meter.avg):.3f}")


torch.manual_seed(1)
data = torch.tensor(load_digits().data, dtype=torch.float32) / 16
loader = DataLoader(TensorDataset(data), batch_size=64, shuffle=True)
model, meter = VAE(), AverageMeter("loss")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    train(epoch, model, loader, optimizer, meter)
show(model)
