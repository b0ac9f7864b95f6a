# a class
from torch import nn

encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer, 2)  # run: parentheses
