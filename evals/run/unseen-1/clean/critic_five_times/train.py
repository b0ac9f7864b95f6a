"""WGAN-GP in a package: five turns of the critic for one of the generator."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn

from .penalty import penalty

torch.manual_seed(0)
x = torch.tensor(load_digits().data).float() / 8 - 1
g = nn.Sequential(nn.Linear(8, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 64), nn.Tanh())
c = nn.Sequential(nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
opt_g = torch.optim.Adam(g.parameters(), 1e-4, betas=(0.0, 0.9))
opt_c = torch.optim.Adam(c.parameters(), 1e-4, betas=(0.0, 0.9))
for turn in range(100):
    real = x[torch.randint(len(x), (32,))]
    with torch.no_grad():
        fake = g(torch.randn(32, 8))
    opt_c.zero_grad()
    (c(fake).mean() - c(real).mean() + 10 * penalty(c, real, fake)).backward()
    opt_c.step()
    if turn % 5 == 4:
        c.requires_grad_(False)
        opt_g.zero_grad()
        (-c(g(torch.randn(32, 8))).mean()).backward()
        opt_g.step()
        c.requires_grad_(True)
show(g, c)
