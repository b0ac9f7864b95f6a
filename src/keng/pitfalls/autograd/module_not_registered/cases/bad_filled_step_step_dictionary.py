# filled step by step, and a dictionary
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = []  # check: not registered
        for size in (8, 4):
            self.layers.append(nn.Linear(8, size))
        self.heads = {"a": nn.Linear(4, 1), "b": nn.Linear(4, 2)}  # check: not registered
        self.scales = {}  # check: not registered
        for task in self.heads:
            self.scales[task] = nn.Linear(8, 4)

    def forward(self, x, task):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.heads[task](self.scales[task](x))


net = Net()
count = len(list(net.parameters()))

# proof
assert count < 8
