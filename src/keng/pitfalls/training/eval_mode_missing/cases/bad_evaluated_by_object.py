# an object that holds the model evaluates it, and nothing switches its mode
import torch
from torch import nn
from torch.utils.data import DataLoader


class Judge:
    def __init__(self, network, loader):
        self.network, self.loader = network, loader

    def measure(self):
        total, modes = 0.0, []
        with torch.no_grad():
            for x in self.loader:
                total += self.network(x).sum().item()  # check: without `self.network.eval()`
                modes.append(self.network.training)
        return total, modes


def train(network, loader):
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        network(x).square().mean().backward()
        optimizer.step()


network = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 1))
loader = DataLoader(list(torch.randn(8, 4)), 4)
judge = Judge(network, loader)
for epoch in range(2):
    train(network, loader)
    total, modes = judge.measure()

# proof
assert all(modes)
