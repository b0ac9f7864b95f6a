# the heads of an attention
import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, width=16, heads=4):
        super().__init__()
        self.heads, self.qkv = heads, nn.Linear(width, width)

    def forward(self, x):
        b, t, c = x.shape
        x = self.qkv(x).view(b, self.heads, t, c // self.heads)  # check: (2, 4, 6, 4)
        return F.scaled_dot_product_attention(x, x, x).transpose(1, 2).reshape(b, t, c)


torch.manual_seed(0)
attention, x = Attention(), torch.randn(2, 6, 16)
attention(x).square().mean().backward()

# proof
with torch.no_grad():
    changed = x.clone()
    changed[:, 0] += 1
    projected = [attention.qkv(each).view(2, 4, 6, 4) for each in (x, changed)]
    moved = (projected[0] != projected[1]).any(dim=3).any(dim=0)
assert moved[0].any() and not moved[3].any()
