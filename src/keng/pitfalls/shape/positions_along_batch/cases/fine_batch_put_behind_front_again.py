# the batch is moved to dimension 1, and back to the front
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, d=8, longest=64):
        super().__init__()
        self.pe = nn.Parameter(torch.randn(longest, 1, d))
        self.layer = nn.TransformerEncoderLayer(d, 2, batch_first=True)

    def forward(self, x):
        x = x.transpose(0, 1)
        x = x + self.pe[: x.size(0)]
        return self.layer(x.transpose(0, 1))


out = Model()(torch.zeros(4, 10, 8))
