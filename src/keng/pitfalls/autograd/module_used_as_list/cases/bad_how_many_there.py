# how many there are
from torch import nn

count = len(nn.Linear(2, 2).parameters())  # run: `parameters()`
