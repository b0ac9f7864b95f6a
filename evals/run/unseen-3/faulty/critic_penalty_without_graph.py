"""The critic's gradient penalty is computed without a graph: it is a number, and teaches nothing."""

import torch
from digest import show
from torch import autograd, nn


class Generator(nn.Module):
    def __init__(self, noise=8):
        super().__init__()
        self.noise = noise
        self.net = nn.Sequential(nn.Linear(noise, 64), nn.ReLU(), nn.Linear(64, 2))

    def forward(self, count):
        return self.net(torch.randn(count, self.noise))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, 64),
            nn.LeakyReLU(0.2),
            nn.Linear(64, 64),
            nn.LeakyReLU(0.2),
            nn.Linear(64, 1),
        )

    def forward(self, x):
        return self.net(x).view(-1)


def penalty(critic, real, fake, weight=10.0):
    mix = torch.rand(len(real), 1)
    between = (mix * real + (1 - mix) * fake).requires_grad_(True)
    score = critic(between)
    (slope,) = autograd.grad(score.sum(), between)  # run: penalty-without-graph
    return weight * ((slope.norm(2, dim=1) - 1) ** 2).mean()


def real_points(count):
    angle = torch.rand(count) * 6.2832
    return torch.stack([angle.cos(), angle.sin()], 1) + 0.02 * torch.randn(count, 2)


torch.manual_seed(0)
generator, critic = Generator(), Critic()
steps_g = torch.optim.Adam(generator.parameters(), 1e-4, betas=(0.0, 0.9))
steps_c = torch.optim.Adam(critic.parameters(), 1e-4, betas=(0.0, 0.9))
for turn in range(60):
    for _ in range(3):
        real = real_points(64)
        with torch.no_grad():
            fake = generator(64)
        steps_c.zero_grad()
        loss_c = critic(fake).mean() - critic(real).mean() + penalty(critic, real, fake)
        loss_c.backward()
        steps_c.step()
    for p in critic.parameters():
        p.requires_grad_(False)
    steps_g.zero_grad()
    loss_g = -critic(generator(64)).mean()
    loss_g.backward()
    steps_g.step()
    for p in critic.parameters():
        p.requires_grad_(True)
    if turn % 20 == 0:
        print(turn, f"{loss_c.item():.3f} {loss_g.item():.3f}")
show(generator, critic)
