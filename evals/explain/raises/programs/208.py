# argument: attn_mask=mask
import torch
from torch import nn

attention = nn.MultiheadAttention(16, 4, batch_first=True)
x = torch.randn(2, 5, 16)
mask = torch.zeros(2, 5, 5, dtype=torch.bool)
out, weights = attention(x, x, x, attn_mask=mask)
