"""The generator's optimizer was copied from the discriminator's and kept its parameters."""

import torch
from digest import show
from torch import nn

LATENT = 4


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(LATENT, 32), nn.LeakyReLU(0.2), nn.Linear(32, 2))

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x)


torch.manual_seed(0)
net_g, net_d = Generator(), Discriminator()
optimizer_d = torch.optim.Adam(net_d.parameters(), lr=1e-3, betas=(0.5, 0.999))
optimizer_g = torch.optim.Adam(
    net_d.parameters(), lr=1e-3, betas=(0.5, 0.999)
)  # run: parameters-not-optimized or optimizers-overlap
criterion = nn.BCEWithLogitsLoss()
for i in range(120):
    real = torch.randn(64, 2) * 0.3 + torch.tensor([2.0, -1.0])
    ones, zeros = torch.ones(64, 1), torch.zeros(64, 1)

    net_d.zero_grad()
    fake = net_g(torch.randn(64, LATENT))
    err_d = criterion(net_d(real), ones) + criterion(net_d(fake.detach()), zeros)
    err_d.backward()
    optimizer_d.step()  # run: parameters-not-optimized or optimizers-overlap

    net_g.zero_grad()
    err_g = criterion(net_d(fake), ones)  # run: gradient-leaks-into-frozen
    err_g.backward()
    optimizer_g.step()  # run: parameters-not-optimized or optimizers-overlap
    if i % 40 == 0:
        print(i, f"{err_d.item():.3f} {err_g.item():.3f}")
show(net_g, net_d)
