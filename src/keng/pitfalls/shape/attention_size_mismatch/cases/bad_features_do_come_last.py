# features that do not come last
import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2, batch_first=True)
x = torch.ones(2, 8, 5)
out, _ = attention(x, x, x)  # run: `x.transpose(1, -1)`
