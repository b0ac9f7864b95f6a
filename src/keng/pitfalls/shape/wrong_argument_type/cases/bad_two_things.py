# two things
import torch
from torch import nn

lstm, head = nn.LSTM(3, 4), nn.Linear(4, 2)
out = lstm(torch.ones(5, 1, 3))
scores = head(out)  # run: `a tuple`
