# a causal mask
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, block_size=8):
        super().__init__()
        self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))

    def forward(self, scores):
        T = scores.size(-1)
        return scores.masked_fill(self.tril[:T, :T] == 0, -9)  # run: `8 positions of self.tril`


y = Head()(torch.zeros(2, 9, 9))
