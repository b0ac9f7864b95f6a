# a layer; `(2, -2)`
from torch import nn

width, heads = 4, 6
layer = nn.Linear(width - heads, 2)  # run: the width is smaller than what is taken away
