# the good program of the page with its training
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])
        self.heads = nn.ModuleDict({"a": nn.Linear(8, 1), "b": nn.Linear(8, 2)})
        self.weight = nn.Parameter(torch.randn(8) * 0.02)
        self.shift = nn.Parameter(torch.zeros(8, 1).t())

    def forward(self, x, task):
        for layer in self.layers:
            x = torch.relu(layer(x)) * self.weight + self.shift
        return self.heads[task](x)


net = Net()
