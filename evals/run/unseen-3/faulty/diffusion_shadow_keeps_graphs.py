"""The shadow weights of a diffusion model are averaged with autograd on, a longer chain each step."""

import math

import torch
from digest import show
from sklearn.datasets import make_moons
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.time = nn.Embedding(50, width)
        self.into = nn.Linear(2, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.SiLU()) for _ in range(3)
        )
        self.out = nn.Linear(width, 2)

    def forward(self, x, t):
        h = self.into(x) + self.time(t)
        for block in self.blocks:
            h = h + block(h)
        return self.out(h)


class Shadow:
    """Exponential moving average of a model's parameters."""

    def __init__(self, model, decay=0.99):
        self.decay = decay
        self.values = {name: p.clone().detach() for name, p in model.named_parameters()}

    def update(self, model):
        for name, p in model.named_parameters():
            average = self.values[name] * self.decay + p * (1 - self.decay)  # run: loss-keeps-graph
            self.values[name] = average  # run: loss-keeps-graph or memory-grows

    def copy_to(self, model):
        with torch.no_grad():
            for name, p in model.named_parameters():
                p.copy_(self.values[name])


class Schedule:
    def __init__(self, steps=50):
        angle = torch.linspace(0, 1, steps + 1) * math.pi / 2 * 0.98
        self.kept = (torch.cos(angle) ** 2)[1:]
        self.steps = steps

    def noised(self, x, t, noise):
        kept = self.kept[t].unsqueeze(-1)
        return kept.sqrt() * x + (1 - kept).sqrt() * noise

    @torch.no_grad()
    def sample(self, model, count):
        x = torch.randn(count, 2)
        for t in reversed(range(self.steps)):
            noise = model(x, torch.full((count,), t))
            clean = (x - (1 - self.kept[t]).sqrt() * noise) / self.kept[t].sqrt()
            before = self.kept[t - 1] if t else torch.tensor(1.0)
            x = before.sqrt() * clean + (1 - before).sqrt() * noise
        return x


torch.manual_seed(0)
points = torch.tensor(make_moons(2000, noise=0.05, random_state=0)[0], dtype=torch.float32)
model, schedule = Denoiser(), Schedule()
shadow = Shadow(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
for iteration in range(200):
    x = points[torch.randint(len(points), (128,))]
    t = torch.randint(schedule.steps, (128,))
    noise = torch.randn_like(x)
    loss = nn.functional.mse_loss(model(schedule.noised(x, t, noise), t), noise)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    shadow.update(model)  # run: loss-keeps-graph or memory-grows
    if iteration % 50 == 0:
        print(iteration, f"{loss.item():.4f}")
shadow.copy_to(model)
model.eval()
print(schedule.sample(model, 64).std(0))
show(model)
