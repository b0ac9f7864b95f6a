# a comment or a docstring says that dropout stays on; a rate that follows the mode
import torch
import torch.nn.functional as F
from torch import nn


class Prenet(nn.Module):
    """Always-on dropout, as Tacotron 2 has it."""

    def forward(self, x):
        return F.dropout(x, 0.5)


class Attention(nn.Module):
    def __init__(self, dropout=0.1):
        super().__init__()
        self.dropout = dropout
        self.rate = dropout

    def forward(self, x):
        rate = self.dropout if self.training else 0.0
        # Monte Carlo dropout: also at inference
        sampled = F.dropout(x, 0.5)
        if self.training:
            return F.scaled_dot_product_attention(x, x, x, dropout_p=self.rate)
        return F.scaled_dot_product_attention(sampled, x, x, dropout_p=rate)


out = Attention()(Prenet()(torch.ones(2, 4, 4)))
