# a projection to more
from torch import nn

layer = nn.LSTM(8, 8, proj_size=16)  # run: `hidden_size`
