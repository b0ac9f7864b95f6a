"""The root of a negative number, at some step: a function loop."""

import torch
from torch import nn

torch.manual_seed(0)


class Norm(nn.Module):
    def forward(self, x):
        inside = x.var(1, keepdim=True) - 0.35
        return x / inside.sqrt()  # run: nan-loss


model = nn.Sequential(nn.Linear(8, 16), Norm(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(40):
    scale = 1.0 if step == 30 else 4.0
    x = scale * torch.randn(32, 8)
    optimizer.zero_grad()
    loss = (model(x) - x.mean(1, keepdim=True)).square().mean()
    loss.backward()
    optimizer.step()
