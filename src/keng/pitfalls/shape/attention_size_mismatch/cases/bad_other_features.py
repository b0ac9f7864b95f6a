# other features
import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2)
x = torch.ones(5, 2, 6)
out, _ = attention(x, x, x)  # run: `expects 8 features but the input has 6`
