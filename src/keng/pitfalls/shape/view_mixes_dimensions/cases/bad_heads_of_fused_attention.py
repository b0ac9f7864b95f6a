# attention of several heads is viewed as one tensor without the transpose back
import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.head_width = heads, width // heads
        self.project = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        b, t, width = x.shape
        qkv = self.project(x).view(b, t, 3, self.heads, self.head_width)
        q, k, v = qkv.unbind(dim=2)
        q, k, v = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v)
        return self.out(y.reshape(b, t, width))  # check: `y.reshape(b, t, width)` reorders


def attend(q, k, v, heads):
    b, t, width = q.size()
    q = q.view(b, t, heads, width // heads).transpose(1, 2)
    k = k.view(b, t, heads, width // heads).transpose(1, 2)
    v = v.view(b, t, heads, width // heads).transpose(1, 2)
    scores = (q @ k.transpose(-2, -1)).softmax(dim=-1)
    y = scores @ v
    return y.view(b, t, -1)  # check: `y.view(b, t, -1)` reorders


layer = Attention(4, 2).eval()
x = torch.randn(1, 3, 4)
first = layer(x)
last = layer(torch.cat([x[:, :2], torch.randn(1, 1, 4)], dim=1))
one = attend(x, x, x, 1)
two = attend(x, x, x, 2)
# proof
# the first head of the second step is put where the second head of the first step belongs
q = x.view(1, 3, 2, 2).transpose(1, 2)
right = F.scaled_dot_product_attention(q * 2**0.25, q * 2**0.25, q)
assert torch.allclose(two, right.reshape(1, 3, 4), atol=1e-5)
assert not torch.allclose(two, right.transpose(1, 2).reshape(1, 3, 4), atol=1e-3)
