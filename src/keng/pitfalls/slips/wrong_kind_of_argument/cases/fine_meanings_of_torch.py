# the share of the new batch; a setting for the bias; the first position; iterators that are used at once
import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, bias=True):
        super().__init__()
        self.bias = bias
        self.norm = nn.BatchNorm1d(2, momentum=0.1)
        self.layer = nn.Linear(2, 1, bias=self.bias)
        self.cell = nn.LSTM(2, 2, bias=False)
        self.copy = nn.LSTM(self.cell.input_size, 2, bias=self.cell.bias)
        self.steps = dict(zip([1, 2], [0.1, 0.01]))

    def forward(self, x):
        return self.layer(self.copy(self.norm(x))[0])


def ended(n):
    done = torch.ones(n, dtype=torch.bool)
    first = done.nonzero()[0].item()
    array = np.ones(n)
    return [first, *(i for i in array.nonzero()[0])]


out = Net()(torch.ones(4, 2)), ended(3)
