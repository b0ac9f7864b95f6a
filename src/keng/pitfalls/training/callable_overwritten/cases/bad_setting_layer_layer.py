# the setting of a layer for the layer
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dropout=0.1):
        super().__init__()
        self.dropout = dropout

    def forward(self, x):
        return self.dropout(x)  # run: `self.dropout` is a float


y = Net()(torch.ones(2))
