"""A decoder that ends in a sigmoid is scored by the loss that has one of its own."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class Vae(nn.Module):
    def __init__(self, width=64, hidden=48, code=4):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(width, hidden), nn.ReLU())
        self.mean, self.spread = nn.Linear(hidden, code), nn.Linear(hidden, code)
        self.decoder = nn.Sequential(
            nn.Linear(code, hidden), nn.ReLU(), nn.Linear(hidden, width), nn.Sigmoid()
        )

    def forward(self, x):
        hidden = self.encoder(x)
        mean, spread = self.mean(hidden), self.spread(hidden)
        code = mean + torch.randn_like(mean) * (0.5 * spread).exp()
        return self.decoder(code), mean, spread


def elbo(again, x, mean, spread):
    bce = F.binary_cross_entropy_with_logits
    rebuilt = bce(again, x, reduction="sum")  # run: bce-wants-probabilities
    divergence = -0.5 * (1 + spread - mean.pow(2) - spread.exp()).sum()
    return (rebuilt + divergence) / len(x)


torch.manual_seed(0)
pixels = torch.tensor(load_digits().data).float() / 16
loader = DataLoader(TensorDataset(pixels), batch_size=128, shuffle=True)
model = Vae()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(5):
    total = 0.0
    for (x,) in loader:
        optimizer.zero_grad()
        loss = elbo(model(x)[0], x, *model(x)[1:])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    print(f"{total / len(pixels):.3f}")
show(model)
