"""A GAN for points of eight spots, after https://github.com/Adversarial-Deep-Learning/code-soup/issues/69."""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SPOTS, LATENT, EPOCHS = 8, 4, 40
torch.manual_seed(21)


def spots(count, seed):
    generator = torch.Generator().manual_seed(seed)
    angle = 2 * math.pi * torch.randint(SPOTS, (count,), generator=generator) / SPOTS
    centre = torch.stack([angle.cos(), angle.sin()], 1)
    return centre + 0.08 * torch.randn(count, 2, generator=generator)


class Generator(nn.Module):
    def __init__(self, lr):
        super().__init__()
        self.main = nn.Sequential(
            nn.Linear(LATENT, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 2)
        )
        self.optimizer = torch.optim.Adam(self.parameters(), lr=lr, betas=(0.5, 0.999))

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self, lr):
        super().__init__()
        self.main = nn.Sequential(
            nn.Linear(2, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1), nn.Sigmoid()
        )
        self.optimizer = torch.optim.Adam(self.parameters(), lr=lr, betas=(0.5, 0.999))

    def forward(self, x):
        return self.main(x).squeeze(1)


class GAN:
    def __init__(self, lr=2e-3):
        self.generator, self.discriminator = Generator(lr), Discriminator(lr)
        self.criterion = nn.BCELoss()

    def step(self, real):
        ones, zeros = torch.ones(len(real)), torch.zeros(len(real))
        error_real = self.criterion(self.discriminator(real), ones)
        self.discriminator.zero_grad()
        error_real.backward()
        fake = self.generator(torch.randn(len(real), LATENT))
        error_fake = self.criterion(self.discriminator(fake.detach()), zeros)
        error_fake.backward()
        self.discriminator.optimizer.step()

        self.generator.zero_grad()
        error = self.criterion(self.discriminator(fake), ones)
        error.backward()
        self.generator.optimizer.step()
        return (error_real + error_fake).item(), error.item()


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


loader = DataLoader(TensorDataset(spots(2560, 1)), batch_size=128, shuffle=True)
held_out = spots(1000, 2)
gan = GAN()
for epoch in range(EPOCHS):
    totals = [0.0, 0.0]
    for (real,) in loader:
        for i, value in enumerate(gan.step(real)):
            totals[i] += value / len(loader)
    if epoch % 10 == 9:
        print(f"epoch {epoch + 1} discriminator {totals[0]:.4f} generator {totals[1]:.4f}")
with torch.no_grad():
    drawn = gan.generator(torch.randn(1000, LATENT))
angles = 2 * math.pi * torch.arange(SPOTS) / SPOTS
distance, nearest = torch.cdist(drawn, torch.stack([angles.cos(), angles.sin()], 1)).min(1)
close = distance < 0.24
print(f"energy distance {energy_distance(drawn, held_out):.4f}")
print(f"points in a spot {close.float().mean().item():.4f} spots in use {len(nearest[close].unique())}")
weights = [p for net in (gan.generator, gan.discriminator) for p in net.parameters()]
print(f"checksum {sum(p.double().sum() for p in weights).item():.6f}")
