# a range upside down
from torch import nn

clip = nn.Hardtanh(1.0, -1.0)  # run: `from 1.0 to -1.0`
