# by hand, and for scaled_dot_product_attention
import math

import torch
from torch.nn import functional as F

pad_id = 0
torch.manual_seed(0)
tokens = torch.tensor([[5, 6, 7, pad_id, pad_id], [8, 9, 3, 4, pad_id]])
q, k, v = torch.randn(3, 2, 5, 8)
mask = tokens.ne(pad_id).unsqueeze(1)
scores = q @ k.transpose(-2, -1) / math.sqrt(8)
attention = scores.masked_fill(mask, float("-inf")).softmax(-1)  # check: words get nothing
filling = (tokens == pad_id)[:, None, :]
out = F.scaled_dot_product_attention(q, k, v, attn_mask=filling)  # check: only padding takes part

# proof
assert attention[0, :, :3].sum() == 0
assert torch.allclose(out, attention @ v, atol=1e-6)
