# a network that follows another is called without gradients, as is one whose weights are loaded or frozen
import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.fc_target = nn.Linear(2, 2)
        self.loaded = nn.Linear(2, 2)
        self.loaded.load_state_dict(copy.deepcopy(self.loaded.state_dict()))

    def forward(self, x):
        with torch.no_grad():
            goal = self.fc_target(x) + self.loaded(x)
        return (self.fc(x) - goal).square().mean()


class Sampler(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    @torch.no_grad()
    def forward(self, x):
        return self.net(x)


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.ones(3, 4, 2):
    optimizer.zero_grad()
    net(x).backward()
    optimizer.step()
print(Sampler(net)(torch.ones(4, 2)))
