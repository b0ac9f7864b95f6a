# a layer is filled
from torch import nn

layer = nn.Linear(2, 2)
nn.init.constant_(layer, 0.0)  # run: `layer.weight`
