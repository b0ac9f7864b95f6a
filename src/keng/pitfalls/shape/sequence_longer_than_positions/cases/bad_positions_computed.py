# positions that are computed
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, width, max_len=8):
        super().__init__()
        self.register_buffer("table", torch.zeros(1, max_len, width))

    def forward(self, x):
        return x + self.table[:, : x.size(1)]  # run: `9 meets the 8 positions of self.table`


y = Positions(16)(torch.zeros(2, 9, 16))
