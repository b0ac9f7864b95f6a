# one state for two
import torch
from torch import nn

lstm = nn.LSTM(4, 8)
out, state = lstm(torch.ones(5, 2, 4), torch.zeros(1, 2, 8))  # run: `lstm(x, (h, c))`
