import torch
from torch import nn


def conv_same(cin, cout, kernel=3, stride=1):
    return nn.Conv2d(cin, cout, kernel, stride=stride, padding="same")


class Stem(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = conv_same(3, 16)
        self.reduce = conv_same(16, 32, stride=2)

    def forward(self, x):
        return self.reduce(torch.relu(self.first(x)))


print(Stem()(torch.rand(1, 3, 40, 40)).shape)
