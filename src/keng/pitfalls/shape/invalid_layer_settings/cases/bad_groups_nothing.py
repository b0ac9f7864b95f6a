# groups of nothing
from torch import nn

layer = nn.Conv2d(4, 4, 3, groups=0)  # run: `positive integer`
