"""The average of a toy diffusion model shares its memory with the weights that it averages."""

import torch
from digest import show
from sklearn.datasets import make_moons
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, steps):
        super().__init__()
        self.time = nn.Embedding(steps, 16)
        self.body = nn.Sequential(nn.Linear(18, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU())
        self.head = nn.Linear(64, 2)

    def forward(self, x, t):
        return self.head(self.body(torch.cat([x, self.time(t)], 1)))


class Average:
    def __init__(self, model, decay):
        self.decay = decay
        self.values = {name: value.data for name, value in model.named_parameters()}

    def follow(self, model):
        for name, value in model.named_parameters():
            self.values[name].mul_(self.decay).add_(value.data, alpha=1 - self.decay)  # run: -


torch.manual_seed(0)
data = torch.tensor(make_moons(1000, noise=0.05, random_state=0)[0]).float()
betas = torch.linspace(1e-4, 0.02, 50)
kept = torch.cumprod(1 - betas, 0)
model = Denoiser(50)
average = Average(model, 0.99)
optimizer = torch.optim.AdamW(model.parameters(), 2e-3)
for _ in range(150):
    clean = data[torch.randint(len(data), (64,))]
    t = torch.randint(50, (64,))
    noise = torch.randn_like(clean)
    scale = kept[t].unsqueeze(1)
    guessed = model(scale.sqrt() * clean + (1 - scale).sqrt() * noise, t)
    loss = (guessed - noise).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    average.follow(model)
print(f"{loss.item():.4f}")
show(model)
