# another number of features
import torch
from torch import nn

rnn = nn.GRU(3, 4)
out, state = rnn(torch.ones(5, 2, 7))  # run: `rnn takes 3 features but gets 7`
