# nothing that is registered, at first
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, by):  # check: super().__init__() is missing
        self.by = by

    def forward(self, x):
        return self.by * x


scale = Scale(2.0)
scale.to(torch.float64)
