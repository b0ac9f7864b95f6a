# the second of two tokens is replaced by the first; a mask that the attention does not get
import torch
from torch import nn
from torch.nn import functional as F


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop, self.head, self.head_dist = nn.Dropout(0.0), nn.Linear(4, 2), nn.Linear(4, 2)

    def forward(self, x: torch.Tensor):
        x, x_dist = x[:, 0], x[:, 1]  # check: `x_dist` is overwritten in line 15
        x = self.drop(x)
        x_dist = self.drop(x)
        return self.head(x), self.head_dist(x_dist)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 4)

    def forward(self, x, mask: torch.Tensor):
        mask = mask[:, None, None, :].bool()  # check: `mask` is computed and never read
        return self.out(F.scaled_dot_product_attention(x, x, x))


head, x = Head(), torch.randn(3, 2, 4)
one, two = head(x)
print(Attention()(x[:, None], torch.zeros(3, 2)).shape)

# proof
assert torch.equal(two, head.head_dist(x[:, 0]))
