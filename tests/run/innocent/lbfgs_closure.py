"""A full-batch fit with LBFGS, whose closure runs several times a step."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(-1, 1, 64).unsqueeze(1)
y = torch.sin(3 * x) + 0.05 * torch.randn_like(x)
net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.LBFGS(net.parameters(), max_iter=5, line_search_fn="strong_wolfe")
history = []


def closure():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    return loss


for step in range(8):
    history.append(optimizer.step(closure).item())
with torch.no_grad():
    error = (net(x) - y).abs().max()
