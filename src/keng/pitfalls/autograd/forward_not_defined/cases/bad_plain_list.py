# a plain list
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(2, 2)]

    def forward(self, x):
        return self.layers(x)  # run: `nn.Sequential(*layers)`


y = Net()(torch.ones(1, 2))
