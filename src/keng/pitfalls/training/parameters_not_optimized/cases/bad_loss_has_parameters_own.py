# a loss that has parameters of its own
import torch
from torch import nn


class Weighed(nn.Module):
    def __init__(self):
        super().__init__()
        self.spread = nn.Parameter(torch.zeros(2))

    def forward(self, *losses):
        return (torch.stack(losses) * (-self.spread).exp() + self.spread).sum()


torch.manual_seed(0)
net, criterion = nn.Linear(4, 2), Weighed()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    first, second = net(torch.randn(8, 4)).unbind(1)
    optimizer.zero_grad()
    criterion(first.square().mean(), second.abs().mean()).backward()
    optimizer.step()  # run: no optimizer holds `criterion.spread`
