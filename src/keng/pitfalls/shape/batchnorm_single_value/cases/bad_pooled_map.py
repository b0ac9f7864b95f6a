# a pooled map
import torch
from torch import nn

head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.BatchNorm2d(3))
y = head(torch.randn(1, 3, 8, 8))  # run: one sample, one place
