"""Several critic steps for each step of the generator, with a penalty on the gradient of the critic."""

import torch
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
critic = nn.Sequential(spectral_norm(nn.Linear(2, 16)), nn.LeakyReLU(0.2), nn.Linear(16, 1))
optimizer_g = torch.optim.Adam(generator.parameters(), lr=1e-4, betas=(0.0, 0.9))
optimizer_c = torch.optim.Adam(critic.parameters(), lr=1e-4, betas=(0.0, 0.9))


def penalty(real, fake):
    mix = torch.rand(len(real), 1)
    between = (mix * real + (1 - mix) * fake).requires_grad_()
    (slope,) = torch.autograd.grad(critic(between).sum(), between, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()


def real_batch():
    return torch.randn(16, 2) * 0.1 + 1


for step in range(8):
    for _ in range(3):
        with torch.no_grad():
            fake = generator(torch.randn(16, 4))
        real = real_batch()
        loss = critic(fake).mean() - critic(real).mean() + 10 * penalty(real, fake)
        optimizer_c.zero_grad()
        loss.backward()
        optimizer_c.step()
    for p in critic.parameters():
        p.requires_grad_(False)
    optimizer_g.zero_grad()
    (-critic(generator(torch.randn(16, 4))).mean()).backward()
    optimizer_g.step()
    for p in critic.parameters():
        p.requires_grad_(True)
