# sizes in their order; dimensions that were transposed before; sizes of another tensor; two equal heights
import torch
from torch import nn

torch.manual_seed(0)
layer, heads = nn.Linear(16, 16), 4
x, other = torch.randn(2, 6, 16), torch.randn(2, 16, 6)
b, t, c = x.shape
same = x.view(b, t, c)
split = layer(x).view(b, t, heads, c // heads).transpose(1, 2)
turned = x.transpose(1, 2)
turned = turned.reshape(b, c, t)
theirs = other.view(b, c, t)
x = x.permute(2, 0, 1)
first = x.reshape(c, b, t)
scores = (split @ split.mT).view(b, heads, t, t)
image = torch.randn(2, 3, 8, 8)
n, c, w, h = image.size()
squares = image.reshape(n, c, h, w)
