"""A diffusion whose schedule is asked for the batch size in place of random times, after Stability-AI/StableCascade issue 142."""

import math

import torch
from digest import show
from torch import nn


class CosineSchedule:
    def __call__(self, t):
        return torch.cos(t * math.pi / 2).clamp(1e-3, 1)

    def sample(self, n):
        return torch.rand(n)


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 64), nn.SiLU(), nn.Linear(64, 2))

    def forward(self, x, t):
        return self.net(torch.cat([x, t[:, None]], 1))


def diffuse(x, schedule):
    t = torch.full((len(x),), len(x) / 100)  # run: -
    a = schedule(t)[:, None]
    noise = torch.randn_like(x)
    return a * x + (1 - a * a).sqrt() * noise, noise, t


torch.manual_seed(12)
model, schedule = Denoiser(), CosineSchedule()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
for step in range(200):
    angle = torch.rand(48) * 2 * math.pi
    x = torch.stack([angle.cos(), angle.sin()], 1)
    noisy, noise, t = diffuse(x, schedule)
    loss = nn.functional.mse_loss(model(noisy, t), noise)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 49:
        print(step, f"{loss.item():.4f}")
show(model)
