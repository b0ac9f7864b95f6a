# a percentage for a probability
from torch import nn

layer = nn.Dropout(50)  # run: `between 0 and 1`
