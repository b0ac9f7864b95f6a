# only the norm is used; two optimizers, each clipped before its step
import torch
from torch import nn

torch.manual_seed(0)
one, other = nn.Linear(4, 4), nn.Linear(4, 1)
optimizers = [torch.optim.SGD(part.parameters(), lr=0.1) for part in (one, other)]
for step in range(3):
    for optimizer in optimizers:
        optimizer.zero_grad()
    other(one(torch.randn(8, 4))).square().mean().backward()
    for part, optimizer in zip((one, other), optimizers):
        nn.utils.clip_grad_norm_(part.parameters(), 0.1)
        optimizer.step()
    norm = nn.utils.clip_grad_norm_(one.parameters(), float("inf"))
