# a state of another number of layers
import torch
from torch import nn

rnn = nn.GRU(3, 4, num_layers=2)
out, state = rnn(torch.ones(5, 2, 3), torch.zeros(1, 2, 4))  # run: 2 layers
