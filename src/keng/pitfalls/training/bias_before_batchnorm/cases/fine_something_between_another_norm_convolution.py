# a layer in between; another kind of norm; a convolution that is used twice
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, bias):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4)
        self.other = nn.Conv2d(4, 4, 1, bias=bias)

    def forward(self, x):
        y = self.conv(x)
        return self.norm(self.conv(x)) + y + self.norm(self.other(y))


net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.BatchNorm2d(4))
groups = nn.Sequential(nn.Conv2d(3, 4, 3), nn.GroupNorm(2, 4))
x = torch.randn(8, 3, 6, 6)
loss = net(x).sum() + groups(x).sum() + Block(bias=False)(x).sum()
loss.backward()
