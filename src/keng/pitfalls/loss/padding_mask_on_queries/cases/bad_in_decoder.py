# filled with a large negative number, in a module
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, pad):
        super().__init__()
        self.pad = pad

    def forward(self, tokens, scores):
        real = tokens.ne(self.pad).unsqueeze(1).unsqueeze(3)
        return scores.masked_fill(real == 0, -1e9).softmax(-1)  # check: axis of the queries


weights = Attention(0)(torch.tensor([[3, 7, 0]]), torch.rand(1, 2, 3, 3))

# proof
assert (weights[0, :, :2, 2] > 0).all()
