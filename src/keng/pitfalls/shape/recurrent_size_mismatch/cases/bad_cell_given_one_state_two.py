# a cell that is given one state for two; `lstm(x, (h, c))`
import torch
from torch import nn

cell = nn.LSTMCell(4, 8)
h, c = cell(torch.ones(2, 4), torch.zeros(2, 8))  # run: h alone is given
