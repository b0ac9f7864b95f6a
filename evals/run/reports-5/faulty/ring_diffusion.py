"""A denoising model of points on rings and its sampler, after https://github.com/IDEALLab/EngiOpt/pull/67."""

import math

import torch
from torch import nn
from torch.nn import functional as F

STEPS, BATCH, EPOCHS = 60, 256, 700
torch.manual_seed(31)


def rings(count, generator=None):
    angle = 2 * math.pi * torch.rand(count, generator=generator)
    radius = torch.where(torch.rand(count, generator=generator) < 0.5, 0.6, 1.5)
    radius = radius + 0.04 * torch.randn(count, generator=generator)
    return torch.stack([radius * angle.cos(), radius * angle.sin()], 1)


class Schedule:
    def __init__(self, steps=STEPS):
        self.betas = torch.linspace(1e-3, 0.16, steps)
        self.alphas = 1 - self.betas
        self.bars = self.alphas.cumprod(0)
        self.before = torch.cat([torch.ones(1), self.bars[:-1]])
        self.variance = self.betas * (1 - self.before) / (1 - self.bars)

    def diffuse(self, x, t, noise):
        bar = self.bars[t][:, None]
        return bar.sqrt() * x + (1 - bar).sqrt() * noise


class Denoiser(nn.Module):
    def __init__(self, hidden=96, frequencies=8):
        super().__init__()
        self.register_buffer("frequencies", 2.0 ** torch.arange(frequencies) / STEPS)
        self.net = nn.Sequential(
            nn.Linear(2 + 2 * frequencies, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 2)
        )

    def forward(self, x, t):
        phase = t[:, None] * self.frequencies
        return self.net(torch.cat([x, phase.sin(), phase.cos()], 1))


class Sampler:
    def __init__(self, model, schedule):
        self.model, self.schedule = model, schedule

    def step(self, x, t):
        s = self.schedule
        predicted = self.model(x, torch.full((len(x),), t))
        start = ((x - (1 - s.bars[t]).sqrt() * predicted) / s.bars[t].sqrt()).clamp(-2, 2)
        mean = (s.before[t].sqrt() * s.betas[t] * start + s.alphas[t].sqrt() * (1 - s.before[t]) * x) / (1 - s.bars[t])
        return mean + s.variance[t].sqrt() * predicted  # any: -

    @torch.no_grad()
    def sample(self, count):
        self.model.eval()
        x = torch.randn(count, 2)
        for t in reversed(range(STEPS)):
            x = self.step(x, t)
        self.model.train()
        return x


def energy_distance(a, b):
    return 2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()


def nearest(samples):
    radius = samples.norm(dim=1)
    return torch.minimum((radius - 0.6).abs(), (radius - 1.5).abs()).mean()


schedule, model = Schedule(), Denoiser()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
decay = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
sampler = Sampler(model, schedule)
real = rings(600, torch.Generator().manual_seed(1))
total = 0.0
for epoch in range(EPOCHS):
    x, t = rings(BATCH), torch.randint(STEPS, (BATCH,))
    noise = torch.randn_like(x)
    loss = F.mse_loss(model(schedule.diffuse(x, t, noise), t), noise)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    decay.step()
    total += loss.item()
    if epoch % 175 == 174:
        print(f"step {epoch + 1} loss {total / 175:.4f} energy distance {energy_distance(sampler.sample(300), real):.4f}")
        total = 0.0
samples = sampler.sample(600)
print(f"energy distance {energy_distance(samples, real):.4f} distance to the rings {nearest(samples):.4f} spread {samples.std():.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
