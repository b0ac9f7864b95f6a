# a number in place of a list
from torch import nn

heads = nn.ModuleList(3)  # run: `range(n)`
