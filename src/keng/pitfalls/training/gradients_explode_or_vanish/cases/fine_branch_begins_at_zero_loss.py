# a branch that is initialized with zeros; a loss that is large at first
import torch
from torch import nn

torch.manual_seed(0)
base, down, up = nn.Linear(8, 8), nn.Linear(8, 2, bias=False), nn.Linear(2, 8, bias=False)
base.requires_grad_(False)
nn.init.zeros_(up.weight)
optimizer = torch.optim.SGD([*down.parameters(), *up.parameters()], lr=0.01)
for step in range(12):
    optimizer.zero_grad()
    x = torch.randn(64, 8)
    (base(x) + up(down(x)) - 1).square().mean().backward()
    optimizer.step()
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(12):
    optimizer.zero_grad()
    (model(torch.randn(64, 8)) - 1000).square().mean().backward()
    optimizer.step()
