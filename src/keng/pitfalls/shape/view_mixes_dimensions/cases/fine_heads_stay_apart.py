# heads are joined with the batch or put back before the view, and a dimension of size 1 is left out
import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.head_width = heads, width // heads
        self.project = nn.Linear(width, 3 * width)

    def forward(self, x):
        b, t, width = x.shape
        q, k, v = self.project(x).chunk(3, dim=-1)
        q = q.view(b, t, self.heads, self.head_width).transpose(1, 2)
        k = k.view(b, t, self.heads, self.head_width).transpose(1, 2)
        v = v.view(b, t, self.heads, self.head_width).transpose(1, 2)
        folded = F.scaled_dot_product_attention(
            q.reshape(b * self.heads, t, self.head_width),
            k.reshape(b * self.heads, t, self.head_width),
            v.reshape(b * self.heads, t, self.head_width),
        )
        y = folded.view(b, self.heads, t, -1).transpose(1, 2).reshape(b, t, width)
        z = F.scaled_dot_product_attention(q, k, v).transpose(1, 2)
        return y + z.contiguous().view(b, t, -1)


def first_of_one(images):
    _, c, h, w = images.shape
    return images.view(c, h * w)


def without_channel(waves):
    b, channels, t = waves.shape
    if channels == 1:
        return waves.view(b, t, -1)
    return waves.transpose(1, 2)


print(Attention(4, 2)(torch.randn(2, 3, 4)).shape)
print(first_of_one(torch.randn(1, 3, 4, 4)).shape, without_channel(torch.randn(2, 1, 5)).shape)
