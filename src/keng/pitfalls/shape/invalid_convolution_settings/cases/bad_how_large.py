# how large
from torch import nn

pool = nn.FractionalMaxPool2d(2)  # run: `output_ratio`
