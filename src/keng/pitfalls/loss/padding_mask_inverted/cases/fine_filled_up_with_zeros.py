# masks filled up with zeros, labels with ones, a mask of 0 for tokens
import torch
from torch.nn import functional as F

pad = 0
ids, rows = [[5, 7], [5, 7, 8]], []
for tokens in ids:
    rest = 3 - len(tokens)
    mask = [1] * len(tokens)
    hidden = [0] * len(tokens)
    kinds = [1] * len(tokens)
    rows.append((tokens + [pad] * rest, mask + [0] * rest, hidden + [1] * rest, kinds + [1] * rest))
attention_mask = torch.tensor([row[1] for row in rows])
scores = torch.rand(2, 3, 3).masked_fill(attention_mask[:, None] == 0, float("-inf")).softmax(-1)
q = torch.rand(2, 1, 3, 4)
out = F.scaled_dot_product_attention(q, q, q, attn_mask=(attention_mask != 0)[:, None, None])
