# groups
import torch
from torch import nn

norm = nn.GroupNorm(3, 4)  # run: `4 channels are not divisible by 3 groups`
