# the constructor lacks an underscore and never runs
import torch
from torch import nn


class Layer(nn.Module):
    def _init__(self, width=2):  # check: `_init__` is not the constructor
        super().__init__()
        self.width = width

    def forward(self, x):
        return x * 2


layer = Layer()
out = layer(torch.ones(1))

# proof
assert not hasattr(layer, "width")
