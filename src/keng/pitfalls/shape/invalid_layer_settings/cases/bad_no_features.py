# no features
from torch import nn

layer = nn.MultiheadAttention(0, 2)  # run: `embed_dim=0`
