"""A GAN that moves its generator first; the discriminator is cleared before its own loss."""

# ruff: noqa: N803

import torch
from digest import show
from torch import nn
from torch.nn.utils import spectral_norm


def generator(latent):
    return nn.Sequential(
        nn.Linear(latent, 48),
        nn.BatchNorm1d(48),
        nn.ReLU(),
        nn.Linear(48, 48),
        nn.ReLU(),
        nn.Linear(48, 2),
    )


def discriminator():
    return nn.Sequential(
        spectral_norm(nn.Linear(2, 48)),
        nn.LeakyReLU(0.2),
        spectral_norm(nn.Linear(48, 48)),
        nn.LeakyReLU(0.2),
        nn.Linear(48, 1),
    )


def update_g(G, D, optimizer, z):
    optimizer.zero_grad()
    fake = G(z)
    loss = -D(fake).mean()
    loss.backward()
    optimizer.step()
    return fake.detach(), loss


def update_d(D, optimizer, real, fake):
    optimizer.zero_grad()
    loss = (1 - D(real)).relu().mean() + (1 + D(fake)).relu().mean()
    loss.backward()
    optimizer.step()
    return loss


def draw(count):
    side = torch.randint(4, (count, 1)) * 1.5707963
    return torch.cat([side.cos(), side.sin()], 1) + 0.1 * torch.randn(count, 2)


torch.manual_seed(2)
latent = 6
G, D = generator(latent), discriminator()
to_g = torch.optim.Adam(G.parameters(), 5e-4, betas=(0.0, 0.99))
to_d = torch.optim.Adam(D.parameters(), 1e-3, betas=(0.0, 0.99))
fixed = torch.randn(200, latent)
for step in range(150):
    fake, loss_g = update_g(G, D, to_g, torch.randn(64, latent))
    for _ in range(2):
        loss_d = update_d(D, to_d, draw(64), fake)
    if step % 50 == 0:
        G.eval()
        with torch.no_grad():
            far = G(fixed).norm(dim=1).mean()
        G.train()
        print(step, f"{loss_d.item():.3f} {loss_g.item():.3f} {far:.3f}")
show(G, D)
