# groups
import torch
from torch import nn

conv = nn.Conv2d(4, 6, 3, groups=2)
out = conv(torch.randn(2, 3, 8, 8))  # run: `gets 3, which its groups does not divide`
