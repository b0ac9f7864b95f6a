# sums of both parts; a sum that is divided; a small weight; a sum over weights; a normalization
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
encoder, decoder = nn.Linear(16, 8), nn.Linear(4, 16)
optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-3)


def parts(x):
    mean, log_var = encoder(x).chunk(2, -1)
    z = mean + torch.randn_like(mean) * (0.5 * log_var).exp()
    return decoder(z), 1 + log_var - mean**2 - log_var.exp()


def losses(x):
    rebuilt, terms = parts(x)
    yield F.mse_loss(rebuilt, x, reduction="sum") - 0.5 * torch.sum(terms)
    rebuilt, terms = parts(x)
    yield F.mse_loss(rebuilt, x) - 0.5 * torch.sum(terms) / len(x)
    rebuilt, terms = parts(x)
    yield F.mse_loss(rebuilt, x) - 0.00025 * torch.sum(terms)
    rebuilt, terms = parts(x)
    yield F.mse_loss(rebuilt, x) + 0.5 * encoder.weight.abs().sum()
    rebuilt, terms = parts(x)
    weights = F.softplus(rebuilt)
    yield (weights / weights.sum() * (rebuilt - x).square()).sum() - 0.5 * terms.sum(-1).mean()


for x in torch.randn(2, 16, 16):
    for loss in losses(x):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
