# a layer that has a name
import torch
from torch import nn

layer = nn.TransformerEncoderLayer(8, 2)
encoder = nn.ModuleList([layer] * 6)  # check: one layer in six places

# proof
assert sum(1 for _ in encoder.parameters()) == sum(1 for _ in layer.parameters())
