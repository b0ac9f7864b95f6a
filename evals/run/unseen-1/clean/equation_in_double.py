"""A physics-informed network in double precision: derivatives of the output are the loss."""

import torch
from digest import show
from torch import nn


def slope(u, t):
    return torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]


torch.set_default_dtype(torch.float64)
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))
friction = nn.Parameter(torch.tensor(0.0))
optimizer = torch.optim.Adam([*model.parameters(), friction], 3e-3)
times = torch.linspace(0, 1, 12)[:, None]
seen = torch.exp(-2 * times) * torch.cos(6 * times)
for _ in range(120):
    t = torch.rand(40, 1, requires_grad=True)
    u = model(t)
    du = slope(u, t)
    residual = slope(du, t) + 2 * friction * du + 40 * u
    loss = ((model(times) - seen) ** 2).mean() + 1e-4 * (residual**2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item(), friction.item())
show(model)
