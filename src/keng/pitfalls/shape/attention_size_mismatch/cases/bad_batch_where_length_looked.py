# the batch where the length is looked for
import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2)
x = torch.ones(2, 5, 8)
mask = nn.Transformer.generate_square_subsequent_mask(x.size(1))
out, _ = attention(x, x, x, attn_mask=mask)  # run: `batch_first=True`
