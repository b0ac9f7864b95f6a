"""A toy diffusion model with an average that warms up, from which samples are drawn."""

import copy

import torch
from digest import show
from sklearn.datasets import make_moons
from torch import nn

STEPS = 40


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("rates", torch.exp(torch.linspace(0, 4, 8)))
        self.time = nn.Sequential(nn.Linear(16, 32), nn.SiLU())
        self.enter, self.middle, self.leave = nn.Linear(2, 32), nn.Linear(32, 32), nn.Linear(32, 2)
        nn.init.zeros_(self.leave.weight)
        nn.init.zeros_(self.leave.bias)

    def forward(self, x, t):
        angle = t[:, None].float() / STEPS * self.rates
        hidden = self.enter(x) + self.time(torch.cat([angle.sin(), angle.cos()], 1))
        return self.leave(torch.relu(self.middle(torch.relu(hidden))))


@torch.no_grad()
def sample(model, kept, betas, count):
    x = torch.randn(count, 2)
    for t in reversed(range(STEPS)):
        noise = model(x, torch.full((count,), t))
        x = (x - betas[t] / (1 - kept[t]).sqrt() * noise) / (1 - betas[t]).sqrt()
        x = x + betas[t].sqrt() * torch.randn_like(x) if t else x
    return x


torch.manual_seed(0)
data = torch.tensor(make_moons(1000, noise=0.05, random_state=0)[0]).float()
betas = torch.linspace(1e-3, 0.1, STEPS)
kept = (1 - betas).cumprod(0)
model = Denoiser()
average = copy.deepcopy(model).requires_grad_(False)
optimizer = torch.optim.AdamW(model.parameters(), 2e-3)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda turn: min(1, (turn + 1) / 20))
for turn in range(150):
    clean = data[torch.randint(len(data), (64,))]
    t = torch.randint(STEPS, (64,))
    noise = torch.randn_like(clean)
    mixed = kept[t, None].sqrt() * clean + (1 - kept[t, None]).sqrt() * noise
    loss = (model(mixed, t) - noise).pow(2).mean()
    loss.backward()
    optimizer.step()
    schedule.step()
    optimizer.zero_grad()
    decay = min(0.99, (1 + turn) / (10 + turn))
    with torch.no_grad():
        for slow, fast in zip(average.parameters(), model.parameters()):
            slow.lerp_(fast, 1 - decay)
print(f"{loss.item():.4f}", sample(average.eval(), kept, betas, 5).shape)
show(model, average)
