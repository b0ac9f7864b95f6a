# read under the same condition or after a return; a class attribute; set by a method; other cases raise
import torch
from torch import nn


class Net(nn.Module):
    scale = 1.0

    def __init__(self, normed=False, gated=True, scale=None, size=None):
        super().__init__()
        self.normed = normed
        if normed:
            self.norm = nn.LayerNorm(4)
        if not gated:
            raise ValueError("only gated networks")
        if scale is not None:
            self.scale = scale
        if size:
            self.grid = torch.zeros(size)
        if not normed:
            self.bias = 0.1
        self.gate = nn.Linear(4, 4)

    def build(self, size):
        self.grid = torch.ones(size)

    def forward(self, x):
        if self.normed:
            return self.norm(x)
        return self.gate(x) * self.scale + self.grid + self.bias


net = Net()
net.build(4)
out = net(torch.ones(2, 4)) + Net(normed=True)(torch.ones(2, 4))
