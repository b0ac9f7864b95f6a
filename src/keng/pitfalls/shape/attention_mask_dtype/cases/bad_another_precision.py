# another precision
import torch
from torch.nn import functional as F

q, bias = torch.ones(2, 3, 4), torch.zeros(3, 3, dtype=torch.float64)
out = F.scaled_dot_product_attention(q, q, q, attn_mask=bias)  # run: `mask.to(query.dtype)`
