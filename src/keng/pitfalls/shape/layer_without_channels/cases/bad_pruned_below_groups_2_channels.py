# pruned below its groups; `2 channels for 4 groups`
import torch
from torch import nn

layer = nn.Conv2d(4, 4, 3, groups=4)
layer.weight = nn.Parameter(layer.weight[:2])
y = layer(torch.ones(1, 4, 8, 8))
