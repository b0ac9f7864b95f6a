# a function by its name
from torch import nn

layer = nn.TransformerEncoderLayer(8, 2, activation="silu")  # run: `silu`
