# a size that is no whole number
from torch import nn

layer = nn.Unflatten(1, (4, 8 / 2))  # run: `//`
