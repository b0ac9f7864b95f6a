# `attention_mask == 0` is True for padding, and scaled_dot_product_attention takes True for what takes part
import torch
from torch.nn import functional as F


def attend(q, k, v, attention_mask=None):
    mask = None
    if attention_mask is not None:
        mask = attention_mask == 0
        mask = mask.unsqueeze(1).unsqueeze(2)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)  # check: True for padding


k = torch.rand(1, 1, 3, 4)
v = torch.eye(3).view(1, 1, 3, 3)
out = attend(k, k, v, torch.tensor([[1, 1, 0]]))

# proof
assert out[0, 0, 0, 2] == 1
