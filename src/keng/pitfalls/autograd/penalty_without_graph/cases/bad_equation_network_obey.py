# an equation that a network is to obey
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
start = torch.zeros(1, 1)
for step in range(3):
    t = torch.rand(32, 1, requires_grad=True)
    u = net(t)
    slope = torch.autograd.grad(u, t, torch.ones_like(u), retain_graph=True)[0]  # run: `residual`
    residual = (slope + slope.detach()).square().mean()
    loss = (net(start) - 1).square().mean()
    loss += residual
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# proof
assert not residual.requires_grad
