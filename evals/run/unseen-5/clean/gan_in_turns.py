"""A GAN with two optimizers, noisy labels and an average of its generator, every line in its place."""

import copy

import torch
from digest import show
from torch import nn
from torch.nn.utils import spectral_norm


def weights_init(m):
    if isinstance(m, nn.Linear):
        nn.init.normal_(m.weight, 0.0, 0.1)
        nn.init.zeros_(m.bias)


torch.manual_seed(0)
G = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 2))
D = nn.Sequential(
    spectral_norm(nn.Linear(2, 32)), nn.LeakyReLU(0.2), spectral_norm(nn.Linear(32, 1))
)
G.apply(weights_init)
averaged = copy.deepcopy(G).requires_grad_(False)
opt_g = torch.optim.Adam(G.parameters(), lr=2e-3, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.5, 0.999))
bce = nn.functional.binary_cross_entropy_with_logits
fixed = torch.randn(256, 8)
for step in range(1, 121):
    for _ in range(2):
        real = torch.randn(64, 2) * 0.2 + 1.0
        with torch.no_grad():
            fake = G(torch.randn(64, 8))
        d_real, d_fake = D(real), D(fake)
        loss_d = bce(d_real, torch.full_like(d_real, 0.9)) + bce(d_fake, torch.zeros_like(d_fake))
        opt_d.zero_grad()
        loss_d.backward()
        opt_d.step()
    score = D(G(torch.randn(64, 8)))
    loss_g = bce(score, torch.ones_like(score))
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    with torch.no_grad():
        for a, p in zip(averaged.state_dict().values(), G.state_dict().values()):
            a.lerp_(p, 0.02) if a.is_floating_point() else a.copy_(p)
    if step % 40 == 0:
        averaged.eval()
        print(step, f"{loss_d.item():.3f} {loss_g.item():.3f} {averaged(fixed).mean().item():.3f}")
show(G, D, averaged)
