# one of two optimizers; two that alternate
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
warm = torch.optim.SGD(net.parameters(), lr=0.1)
main = torch.optim.Adam(net.parameters())
for step in range(4):
    net.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    if step < 2:
        warm.step()
    else:
        main.step()
