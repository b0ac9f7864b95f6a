# pruned between forward and backward
from torch import nn

layer = nn.Conv2d(3, 4, 3)
penalty = layer.weight.norm()
layer.weight.data = layer.weight.data[:2]
penalty.backward()  # run: `[4, 3, 3, 3]`
