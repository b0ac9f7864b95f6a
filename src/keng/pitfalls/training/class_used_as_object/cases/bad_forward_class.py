# the forward of a class
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x


y = Net.forward(torch.ones(2))  # run: `Net` is the class
