# instance normalization of a single place
import torch
from torch import nn

head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.InstanceNorm2d(3))
y = head(torch.randn(4, 3, 8, 8))  # run: one place in each map
