# a table that is learned, turned round where it is made
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, d=8, longest=32):
        super().__init__()
        table = torch.randn(longest, d) * 0.1
        self.table = nn.Parameter(table.unsqueeze(0).transpose(0, 1))
        self.attention = nn.MultiheadAttention(d, 2, batch_first=True)

    def places(self, x):
        return self.table[: x.shape[0], :] + x  # check: as well

    def forward(self, x):
        x = self.places(x)
        return self.attention(x, x, x)[0]


x = torch.zeros(4, 10, 8)
out = Encoder().places(x)

# proof
assert torch.equal(out[:, 0], out[:, 9])
