# a parameter that is no longer one
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(8)) * 0.02  # check: the product is no Parameter

    def forward(self, x):
        return x * self.weight


net = Scale()
count = len(list(net.parameters()))

# proof
assert count == 0
