# groups
import torch
from torch import nn

norm = nn.GroupNorm(3, 4)  # run: `4 channels do not divide into 3 groups`
