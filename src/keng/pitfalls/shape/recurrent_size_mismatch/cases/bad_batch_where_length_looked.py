# the batch where the length is looked for
import torch
from torch import nn

rnn = nn.GRU(3, 4)
x = torch.ones(2, 5, 3)
state = torch.zeros(1, x.size(0), 4)
out, state = rnn(x, state)  # run: `the second dimension of the input, 5, as the batch. Build it with batch_first=True`
