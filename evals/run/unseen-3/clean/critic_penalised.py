"""WGAN with a gradient penalty, which needs a second derivative, and a slope that is only looked at."""

import torch
from digest import show
from torch import nn


class Walker:
    """Two optimizers, one of which is stepped three times as often."""

    def __init__(self, turns, times=3, weight=10.0):
        self.generator = nn.Sequential(nn.Linear(4, 48), nn.ReLU(), nn.Linear(48, 2))
        self.critic = nn.Sequential(nn.Linear(2, 48), nn.Softplus(), nn.Linear(48, 1))
        self.turns, self.times, self.weight = turns, times, weight
        settings = {"lr": 2e-4, "betas": (0.5, 0.9)}
        self.optimizers = {
            "critic": torch.optim.Adam(self.critic.parameters(), **settings),
            "generator": torch.optim.Adam(self.generator.parameters(), **settings),
        }

    def slopes(self, x, keep):
        x = x.detach().requires_grad_()
        (slope,) = torch.autograd.grad(
            self.critic(x), x, torch.ones(len(x), 1), create_graph=keep, retain_graph=keep
        )
        return slope.flatten(1).norm(dim=1)

    def critic_step(self, real):
        fake = self.generator(torch.randn(len(real), 4)).detach()
        mix = torch.rand(len(real), 1)
        penalty = (self.slopes(real.lerp(fake, mix), keep=True) - 1).square().mean()
        loss = self.critic(fake).mean() - self.critic(real).mean() + self.weight * penalty
        self.descend("critic", loss)
        return loss.item(), penalty.item()

    def generator_step(self, count):
        self.critic.requires_grad_(False)
        loss = -self.critic(self.generator(torch.randn(count, 4))).mean()
        self.descend("generator", loss)
        self.critic.requires_grad_(True)

    def descend(self, name, loss):
        self.optimizers[name].zero_grad()
        loss.backward()
        self.optimizers[name].step()

    def train(self, points):
        for turn in range(self.turns):
            for _ in range(self.times):
                told = self.critic_step(points[torch.randint(len(points), (64,))])
            self.generator_step(64)
            if turn % 25 == 24:
                steep = self.slopes(points[:64], keep=False).mean().item()
                print(turn, f"{told[0]:.3f} {told[1]:.3f} {steep:.3f}")


torch.manual_seed(2)
angle = torch.rand(1024) * 6.2832
walker = Walker(75)
walker.train(torch.stack([angle.cos(), angle.sin()], 1))
show(walker.generator, walker.critic)
