# misspelt
from torch import nn

layer = nn.LSTM(4, 8, batchfirst=True)  # run: `batchfirst` is no argument of nn.LSTM
