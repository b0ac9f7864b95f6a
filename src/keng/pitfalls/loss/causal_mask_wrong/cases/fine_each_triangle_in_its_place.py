# each triangle where it belongs; masks of another library; a model that reads from the end; pairs of samples
import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def forward(self, q, k, v, mask):
        scores = q @ k.transpose(-2, -1)
        return scores.masked_fill(mask == 0, -1e9).softmax(-1) @ v


class BackwardModel(nn.Module):
    def forward(self, x):
        kept = torch.triu(torch.ones(5, 5, dtype=torch.bool))
        return F.scaled_dot_product_attention(x, x, x, attn_mask=kept)


def subsequent(n):
    mask = (torch.triu(torch.ones(n, n)) == 1).transpose(0, 1)
    return mask.float().masked_fill(mask == 0, float("-inf")).masked_fill(mask == 1, 0.0)


def hardest(scores):
    above = torch.triu(torch.ones(5, 5, dtype=torch.bool))
    return scores.masked_fill(above, -1e9).topk(2).indices, scores.softmax(-1)


x = torch.randn(2, 5, 8)
later = torch.ones(5, 5, dtype=torch.bool).triu(1)
layer = nn.TransformerEncoderLayer(8, 2, batch_first=True)
layer(x, src_mask=later), layer(x, src_mask=subsequent(5))
layer(x, src_mask=~torch.tril(torch.ones(5, 5)).bool())
Attention()(x, x, x, torch.tril(torch.ones(5, 5))), BackwardModel()(x)
Attention()(x, x, x, 1 - torch.triu(torch.ones(5, 5), diagonal=1))
hardest(torch.randn(5, 5))
band = torch.tril(torch.ones(5, 5), 2) * torch.triu(torch.ones(5, 5), -2)
Attention()(x, x, x, band)
