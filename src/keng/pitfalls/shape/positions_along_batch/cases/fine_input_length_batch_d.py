# inputs of shape (length, batch, d)
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, d, longest=64):
        super().__init__()
        self.register_buffer("pe", torch.randn(longest, 1, d))

    def forward(self, x):
        return x + self.pe[: x.size(0)]


layer = nn.TransformerEncoderLayer(8, 2)
out = layer(Positions(8)(torch.zeros(10, 4, 8)))
