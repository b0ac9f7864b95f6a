# the states of an LSTM
import torch
from torch import nn

lstm = nn.LSTM(2, 3)
out, h, c = lstm(torch.ones(4, 1, 2))  # run: `out, (h, c)`
