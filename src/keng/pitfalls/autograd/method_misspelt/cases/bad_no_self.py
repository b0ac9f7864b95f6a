# no self
import torch
from torch import nn


class Net(nn.Module):
    def forward(x):
        return x


y = Net()(torch.ones(2))  # run: `self`
