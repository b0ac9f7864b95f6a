# a mask of other lengths
import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2)
x = torch.ones(5, 1, 8)
mask = torch.zeros(4, 4, dtype=torch.bool)
out, _ = attention(x, x, x, attn_mask=mask)  # run: `(4, 4) but must be (5, 5)`
