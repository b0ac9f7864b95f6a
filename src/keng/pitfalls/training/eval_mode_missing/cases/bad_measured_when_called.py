# an object measures the model when it is called, between the epochs of a method that never switches it
import torch
from torch import nn
from torch.utils.data import DataLoader


class Measure:
    def __init__(self, parts):
        self.parts = parts

    def __call__(self):
        network, loader = self.parts
        modes = []
        with torch.no_grad():
            for x in loader:
                print(network(x).sum().item())  # check: without `network.eval()`
                modes.append(network.training)
        return modes


class Trainer:
    def __init__(self, network, hooks):
        self.network, self.hooks = network, hooks
        self.optimizer = torch.optim.SGD(network.parameters(), lr=0.1)

    def fit(self, loader):
        for epoch in range(2):
            for x in loader:
                self.optimizer.zero_grad()
                self.network(x).square().mean().backward()
                self.optimizer.step()
            modes = [hook() for hook in self.hooks]
        return modes


network = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 1))
loader = DataLoader(list(torch.randn(8, 4)), 4)
(modes,) = Trainer(network, [Measure((network, loader))]).fit(loader)

# proof
assert all(modes)
