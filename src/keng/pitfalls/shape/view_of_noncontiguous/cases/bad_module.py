# in a module
import torch
from torch import nn


class Heads(nn.Module):
    def forward(self, x):
        x = x.view(2, 5, 4, 2).transpose(1, 2)
        return x.view(2, 5, 8)  # check: the heads are still swapped


heads = Heads()
y = heads(torch.zeros(2, 5, 8))
