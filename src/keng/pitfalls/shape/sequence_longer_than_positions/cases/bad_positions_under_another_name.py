# positions under another name
import torch
from torch import nn


class PositionalEncoder(nn.Module):
    def __init__(self, width, max_seq_len=8):
        super().__init__()
        self.register_buffer("pe", torch.zeros(1, max_seq_len, width))

    def forward(self, x):
        pe = self.pe[:, : x.size(1)]
        return x + pe  # run: `9 meets the 8 positions of pe`


y = PositionalEncoder(16)(torch.zeros(2, 9, 16))
