# no batch norm; trained in other steps; unfrozen later; a discriminator that alternates
import torch
from torch import nn

plain = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8)).requires_grad_(False)
both = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
head = nn.Linear(8, 1)
optimizer = torch.optim.SGD([*head.parameters(), *both.parameters()], lr=0.1)
for step in range(3):
    both.requires_grad_(False)
    x = torch.randn(16, 4)
    optimizer.zero_grad()
    head(plain(x)).square().mean().backward()
    optimizer.step()
    both.requires_grad_(True)
    with torch.no_grad():
        target = both(x)
    optimizer.zero_grad()
    (head(both(x)) - target.mean()).square().mean().backward()
    optimizer.step()
