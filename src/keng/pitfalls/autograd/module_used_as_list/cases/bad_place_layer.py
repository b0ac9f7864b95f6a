# a place of a layer
from torch import nn

weight = nn.Linear(2, 2)[0]  # run: a Linear
