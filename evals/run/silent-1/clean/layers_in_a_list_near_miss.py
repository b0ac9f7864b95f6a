"""Layers stand in a list that the module does not see."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        layers = [nn.Linear(8, 8) for _ in range(3)]
        self.body, self.taps = nn.Sequential(*layers), layers[:2]
        self.layers = layers
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return self.out(x)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    optimizer.zero_grad()
    F.cross_entropy(model(torch.randn(16, 8)), torch.randint(2, (16,))).backward()
    optimizer.step()
