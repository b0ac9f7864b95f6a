# the good program of the page with its training
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 10)

    def forward(self, x):
        return self.head(self.body(x))


net = Net()
net.head = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.ones(8, 4)).square().mean().backward()
optimizer.step()
