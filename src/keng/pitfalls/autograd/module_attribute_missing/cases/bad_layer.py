# of a layer
from torch import nn

layer = nn.Linear(2, 3)
width = layer.out_feature  # run: `out_feature` is read from a Linear
