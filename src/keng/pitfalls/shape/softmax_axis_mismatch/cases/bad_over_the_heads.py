# scores of several heads, softmax over the heads; names of axes in an einsum
import torch
from torch import nn
from torch.nn import functional as F


class Heads(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.qkv = heads, nn.Linear(width, 3 * width)
        self.drop = nn.Dropout(0.0)

    def forward(self, x, mask=None):
        b, n, c = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / (c // self.heads) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = self.drop(F.softmax(scores, dim=-3))  # check: another dimension
        return weights @ v


def named(q, k, v):
    weights = torch.einsum("bhid,bhjd->bhij", q, k).softmax(dim=1)  # check: another dimension
    return torch.einsum("bhij,bhjd->bhid", weights, v)


torch.manual_seed(0)
x = torch.randn(2, 5, 8)
out = Heads(8, 2)(x)
q = torch.randn(1, 3, 4, 5)
out = named(q, q, q)

# proof
scores = torch.einsum("bhid,bhjd->bhij", q, q)
assert not torch.allclose(scores.softmax(dim=1).sum(-1), torch.ones(1, 3, 4))
