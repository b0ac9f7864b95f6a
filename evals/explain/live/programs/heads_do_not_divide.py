import torch
from einops import rearrange
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim=64, heads=6):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        q, k, v = (rearrange(t, "b n (h d) -> b h n d", h=self.heads) for t in self.qkv(x).chunk(3, -1))
        y = nn.functional.scaled_dot_product_attention(q, k, v)
        return self.out(rearrange(y, "b h n d -> b n (h d)"))


print(Attention()(torch.randn(2, 9, 64)).shape)
