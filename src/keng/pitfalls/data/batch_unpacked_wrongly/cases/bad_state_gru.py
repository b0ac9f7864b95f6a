# the state of a GRU
import torch
from torch import nn

gru = nn.GRU(2, 3)
out, (h, c) = gru(torch.ones(4, 1, 2))  # run: `out, h`
