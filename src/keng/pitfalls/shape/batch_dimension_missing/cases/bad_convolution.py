# a convolution
import torch
from torch import nn

conv = nn.Conv2d(1, 4, 3)
rows = torch.ones(8, 8)
out = conv(rows)  # run: an image without channel and batch
