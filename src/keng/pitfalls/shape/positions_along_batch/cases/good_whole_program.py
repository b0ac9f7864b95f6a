# the good program of the page with its training
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, d, longest=64):
        super().__init__()
        angles = torch.arange(longest).unsqueeze(1) / 100.0 ** (torch.arange(0, d, 2) / d)
        pe = torch.zeros(1, longest, d)
        pe[0, :, 0::2], pe[0, :, 1::2] = angles.sin(), angles.cos()
        self.register_buffer("pe", pe)

    def forward(self, x):
        return x + self.pe[:, : x.size(1)]


layer = nn.TransformerEncoderLayer(8, 2, batch_first=True)
out = layer(Positions(8)(torch.zeros(4, 10, 8)))
