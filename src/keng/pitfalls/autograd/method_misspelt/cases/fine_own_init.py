# a method named init beside the constructor
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = 2

    def init(self):
        nn.Module.__init__(self)
        self.width = 3

    def forward(self, x):
        return x * self.width


out = Layer()(torch.ones(1))
