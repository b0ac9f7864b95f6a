"""A variational autoencoder: sampling in forward, a sum over pixels, a weight that climbs."""

import argparse

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader


class Vae(nn.Module):
    def __init__(self, pixels=16, latent=3):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(pixels, 12), nn.ReLU(), nn.Linear(12, 2 * latent))
        self.decode = nn.Sequential(nn.Linear(latent, 12), nn.ReLU(), nn.Linear(12, pixels))

    def forward(self, x):
        mean, log_var = self.encode(x.flatten(1)).chunk(2, dim=1)
        z = mean + torch.randn_like(mean) * (0.5 * log_var).exp()
        return self.decode(z), mean, log_var


def main(args):
    torch.manual_seed(args.seed)
    loader = DataLoader((torch.rand(64, 1, 4, 4) > 0.5).float(), batch_size=16, shuffle=True)
    model = Vae()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0
        for x in loader:
            optimizer.zero_grad()
            logits, mean, log_var = model(x)
            rebuilt = F.binary_cross_entropy_with_logits(logits, x.flatten(1), reduction="sum")
            kl = -0.5 * torch.sum(1 + log_var - mean.pow(2) - log_var.exp())
            loss = rebuilt + min(epoch / 2, 1.0) * kl
            loss.backward()
            total += loss.item()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        pictures = torch.sigmoid(model.decode(torch.randn(4, 3)))
    return pictures, total / len(loader.dataset)


parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--lr", type=float, default=1e-3)
parser.add_argument("--seed", type=int, default=1)
main(parser.parse_args([]))
