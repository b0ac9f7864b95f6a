"""A variational autoencoder whose divergence warms up over a curriculum of noise, with tied decoder bias."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.distributions import Independent, Normal, kl_divergence
from torch.nn import functional as F


class Vae(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 48), nn.ELU(), nn.Linear(48, 8))
        self.decoder = nn.Sequential(nn.Linear(4, 48), nn.ELU(), nn.Linear(48, 64))

    def forward(self, x):
        mean, spread = self.encoder(x).chunk(2, 1)
        code = Independent(Normal(mean, F.softplus(spread) + 1e-4), 1)
        return self.decoder(code.rsample()), code


torch.manual_seed(0)
pixels = torch.tensor(load_digits().data).float() / 16
model = Vae()
prior = Independent(Normal(torch.zeros(4), torch.ones(4)), 1)
optimizer = torch.optim.Adamax(model.parameters(), 3e-3)
turn = 0
for epoch, noise in enumerate([0.0, 0.1, 0.2, 0.3]):
    model.train()
    for part in torch.randperm(1500).split(100):
        x = pixels[part]
        scores, code = model((x + noise * torch.randn_like(x)).clamp(0, 1))
        missed = F.binary_cross_entropy_with_logits(scores, x, reduction="none").sum(1)
        loss = (missed + min(1.0, turn / 40) * kl_divergence(code, prior)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        turn += 1
    model.eval()
    with torch.no_grad():
        scores, _ = model(pixels[1500:])
        print(f"{F.binary_cross_entropy_with_logits(scores, pixels[1500:]).item():.4f}")
with torch.no_grad():
    print(torch.sigmoid(model.decoder(prior.sample((2,)))).shape)
show(model)
