"""A diffusion model: an average by `lerp_`, samples of it without gradients, kept for a picture."""

import copy

import torch
from digest import show
from sklearn.datasets import make_circles
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm, self.fc = nn.LayerNorm(dim), nn.Linear(dim, dim)
        self.scale = nn.Linear(dim, 2 * dim)
        nn.init.zeros_(self.scale.weight)
        nn.init.zeros_(self.scale.bias)

    def forward(self, x, c):
        scale, shift = self.scale(c).chunk(2, -1)
        return x + nn.functional.silu(self.fc(self.norm(x) * (1 + scale) + shift))


class Denoiser(nn.Module):
    def __init__(self, dim=32, steps=40, classes=2):
        super().__init__()
        self.time, self.label = nn.Embedding(steps, dim), nn.Embedding(classes + 1, dim)
        self.into, self.out = nn.Linear(2, dim), nn.Linear(dim, 2)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(2))

    def forward(self, x, t, label):
        c = self.time(t) + self.label(label)
        h = self.into(x)
        for block in self.blocks:
            h = block(h, c)
        return self.out(h)


class EMA:
    def __init__(self, model, decay=0.98):
        self.model = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for average, p in zip(self.model.parameters(), model.parameters()):
            average.lerp_(p, 1 - self.decay)


@torch.no_grad()
def sample(model, label, guidance=1.5):
    x = torch.randn(len(label), 2)
    for t in reversed(range(steps)):
        at = torch.full((len(label),), t)
        with_label = model(x, at, label)
        without = model(x, at, torch.full_like(label, 2))
        noise = without + guidance * (with_label - without)
        x = (x - betas[t] / (1 - kept[t]).sqrt() * noise) / (1 - betas[t]).sqrt()
        if t:
            x = x + betas[t].sqrt() * torch.randn_like(x)
    return x


torch.manual_seed(0)
steps = 40
betas = torch.linspace(1e-3, 0.12, steps)
kept = (1 - betas).cumprod(0)
points, labels = make_circles(1200, noise=0.03, factor=0.4, random_state=0)
points, labels = torch.tensor(points, dtype=torch.float32), torch.tensor(labels)
model = Denoiser()
ema, optimizer = EMA(model), torch.optim.AdamW(model.parameters(), 2e-3)
warm = torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, total_iters=20)
gallery = []
for epoch in range(4):
    for rows in torch.randperm(len(points)).split(100):
        x, label = points[rows], labels[rows].clone()
        label[torch.rand(len(rows)) < 0.15] = 2
        t, noise = torch.randint(steps, (len(rows),)), torch.randn_like(x)
        noised = kept[t, None].sqrt() * x + (1 - kept[t, None]).sqrt() * noise
        loss = nn.functional.mse_loss(model(noised, t, label), noise)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        warm.step()
        ema.update(model)
    gallery.append(sample(ema.model, torch.arange(60) % 2))
    print(epoch, f"{loss.item():.4f} {gallery[-1].norm(dim=1).mean():.3f}")
print(torch.stack(gallery).shape)
show(model, ema.model)
