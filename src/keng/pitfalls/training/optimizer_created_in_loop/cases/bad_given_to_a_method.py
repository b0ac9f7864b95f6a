# a method receives the new optimizer
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Linear):
    def update(self, x, optimizer):
        optimizer.zero_grad()
        self(x).square().mean().backward()
        optimizer.step()


net = Net(4, 1)
for epoch in range(3):
    for x in torch.randn(32, 4).split(8):
        net.update(x, torch.optim.Adam(net.parameters(), lr=0.01))  # run: what `Adam` gathers is lost
