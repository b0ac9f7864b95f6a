# in attention
import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def forward(self, x):
        return F.scaled_dot_product_attention(x, x, x, None, 0.9)  # run: attention


net = Attention().eval()
with torch.no_grad():
    y, z = net(torch.ones(4, 8, 8)), net(torch.ones(4, 8, 8))

# proof
assert not torch.equal(y, z)
