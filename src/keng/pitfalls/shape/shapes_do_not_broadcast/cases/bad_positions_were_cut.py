# positions that were not cut
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, width, max_len=8):
        super().__init__()
        self.register_buffer("pe", torch.zeros(1, max_len, width))

    def forward(self, x):
        return x + self.pe  # run: `self.pe[:, :5]`


y = Positions(6)(torch.zeros(2, 5, 6))
