# a mask of padding, given as one of attention
import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2, batch_first=True)
x = torch.ones(2, 5, 8)
padding = torch.arange(5)[None] >= torch.tensor([[5], [3]])
out, _ = attention(x, x, x, attn_mask=padding)  # run: `key_padding_mask`
