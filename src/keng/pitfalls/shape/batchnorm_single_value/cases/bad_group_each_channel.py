# a group for each channel
import torch
from torch import nn

norm = nn.GroupNorm(4, 4)
y = norm(torch.randn(1, 4, 1, 1))  # run: one value in each group
