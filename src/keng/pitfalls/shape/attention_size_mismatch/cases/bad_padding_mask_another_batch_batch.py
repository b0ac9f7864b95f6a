# a padding mask of another batch; `batch_first`
import torch
from torch import nn

attention, x = nn.MultiheadAttention(4, 2), torch.ones(5, 3, 4)
y = attention(x, x, x, key_padding_mask=torch.zeros(5, 3, dtype=torch.bool))  # run: 3 by 5
