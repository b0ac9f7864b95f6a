# fewer heads of keys
import torch
from torch.nn.attention.flex_attention import flex_attention

q, k = torch.ones(1, 4, 128, 16), torch.ones(1, 2, 128, 16)
y = flex_attention(q, k, k)  # run: `enable_gqa=True`
