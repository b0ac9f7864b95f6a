# several layers at once; a list that has a name
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = nn.Linear(width, width)

    def forward(self, x):
        return x + self.up(x)


depth = 3
deep = nn.Sequential(nn.Linear(4, 8), *[nn.Linear(8, 8), nn.ReLU()] * depth)  # check: one
blocks = [nn.Linear(4, 8)] + [Block(8)] * depth  # check: one as well
net = nn.Sequential(*blocks)

# proof
assert len(list(deep.parameters())) == len(list(net.parameters())) == 4
