# a fixed network whose gradients are a by-product; a loss that its own optimizer moves later
import torch
from torch import nn


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.scale = nn.Linear(2, 2), nn.Parameter(torch.ones(1))

    def forward(self, x):
        return (self.scale * self.layer(x)).square().mean()


class Centre(nn.Module):
    def __init__(self):
        super().__init__()
        self.at = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        return (x - self.at).square().mean()


torch.manual_seed(0)
net, judge, centre = nn.Linear(4, 2), Judge(), Centre()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
seldom = torch.optim.SGD(centre.parameters(), lr=0.1)
for step in range(6):
    out = net(torch.randn(8, 4))
    optimizer.zero_grad()
    seldom.zero_grad()
    (judge(out) + centre(out)).backward()
    optimizer.step()
    if step == 5:
        seldom.step()
