# other features
import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2)
x = torch.ones(5, 2, 6)
out, _ = attention(x, x, x)  # run: `made for 8 features, but gets 6`
