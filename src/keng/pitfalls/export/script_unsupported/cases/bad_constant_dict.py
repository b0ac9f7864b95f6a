# a constant that is a dict
import torch
from torch import nn


class Net(nn.Module):
    __constants__ = ["sizes"]

    def __init__(self):
        super().__init__()
        self.sizes = {"a": 1}

    def forward(self, x):
        return x * self.sizes["a"]


torch.jit.script(Net())  # run: `__constants__`
