"""A class-conditional denoiser of points, sampled with guidance, after NVlabs/Sana issue 188."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(51)
CLASSES, STEPS, GUIDANCE, DROP = 6, 50, 2.0, 0.15
betas = torch.linspace(1e-3, 0.16, STEPS)
alphas_bar = torch.cumprod(1 - betas, 0)
angles = torch.arange(CLASSES) * 2 * torch.pi / CLASSES
centers = torch.stack([angles.cos(), angles.sin()], 1) * 1.5


def points(count):
    labels = torch.randint(CLASSES, (count,))
    return TensorDataset(centers[labels] + 0.25 * torch.randn(count, 2), labels)


class Denoiser(nn.Module):
    def __init__(self, hidden=96):
        super().__init__()
        self.time = nn.Embedding(STEPS, hidden)
        self.label = nn.Embedding(CLASSES + 1, hidden)
        self.inputs = nn.Linear(2, hidden)
        self.body = nn.Sequential(nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 2))

    def forward(self, x, t, labels):
        return self.body(self.inputs(x) + self.time(t) + self.label(labels))


def train(model, loader, epochs):
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.0)
    for epoch in range(epochs):
        total = 0.0
        for x, labels in loader:
            t = torch.randint(STEPS, (len(x),))
            noise = torch.randn_like(x)
            noisy = alphas_bar[t, None].sqrt() * x + (1 - alphas_bar[t, None]).sqrt() * noise
            loss = F.mse_loss(model(noisy, t, labels), noise)  # run: embedding-row-untrained
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        if epoch % 10 == 9:
            print(f"epoch {epoch} loss {total / len(loader):.4f}")


@torch.no_grad()
def sample(model, labels, guidance):
    x = torch.randn(len(labels), 2)
    null = torch.full_like(labels, CLASSES)
    for step in reversed(range(STEPS)):
        t = torch.full_like(labels, step)
        conditional, unconditional = model(x, t, labels), model(x, t, null)
        noise = unconditional + guidance * (conditional - unconditional)
        mean = (x - betas[step] / (1 - alphas_bar[step]).sqrt() * noise) / (1 - betas[step]).sqrt()
        x = mean + (betas[step].sqrt() * torch.randn_like(x) if step else 0)
    return x


def report(name, x, labels):
    distance = torch.cdist(x, centers)
    right = (distance.argmin(1) == labels).float().mean().item()
    print(f"{name}: right class {right:.4f}, mean distance from the centre of the class {distance.gather(1, labels[:, None]).mean().item():.4f}")


model = Denoiser()
train(model, DataLoader(points(2048), batch_size=128, shuffle=True), epochs=60)
wanted = torch.arange(CLASSES).repeat_interleave(200)
report("no guidance", sample(model, wanted, 1.0), wanted)
report(f"guidance {GUIDANCE}", sample(model, wanted, GUIDANCE), wanted)
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
