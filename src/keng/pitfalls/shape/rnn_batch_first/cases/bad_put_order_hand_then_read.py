# put in order by hand, and then read the other way
import torch
from torch import nn

gru = nn.GRU(3, 8)
x = torch.randn(4, 10, 3)
steps = x.transpose(0, 1)
out, hidden = gru(steps)
last = out[:, -1]  # check: is not the last step

# proof
assert last.shape == (10, 8)
