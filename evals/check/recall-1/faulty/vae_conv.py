from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class VAE(nn.Module):
    def __init__(self, latent: int = 8) -> None:
        self.enc = nn.Sequential(nn.Linear(64, 32), nn.ReLU())  # check: module-init-not-called
        super().__init__()
        self.mu = nn.Linear(32, latent)
        self.logvar = nn.Linear(32, latent)
        self.dec = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, 64))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        std = torch.exp(0.5 * logvar)
        z = mu + std * torch.randn_like(std)
        return torch.sigmoid(self.dec(z)), mu, logvar


def elbo(recon: Tensor, x: Tensor, mu: Tensor, logvar: Tensor) -> Tensor:
    rec = F.binary_cross_entropy(recon, x, size_average=False)  # check: loss-arguments-removed
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return rec + kl


def loop(model: VAE, data: Tensor, epochs: int) -> None:
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        model.train()
        for x in data.split(16):
            recon, mu, logvar = model(x)
            loss = elbo(recon, x, mu, logvar)
            loss.backward()
            optimizer.step()  # check: zero-grad-missing
        if loss.item() == float('nan'):  # check: nan-compared
            raise SystemExit('diverged')
        print(epoch, loss.item())


if __name__ == '__main__':
    loop(VAE(), torch.rand(128, 64), 3)
