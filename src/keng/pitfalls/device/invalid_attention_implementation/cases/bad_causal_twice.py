# causal twice
import torch
import torch.nn.functional as F
from torch.nn.attention.bias import causal_upper_left

q = torch.ones(1, 1, 4, 16)
mask = causal_upper_left(4, 4)
y = F.scaled_dot_product_attention(q, q, q, attn_mask=mask, is_causal=True)  # run: `is_causal`
