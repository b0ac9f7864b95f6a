# length first throughout; the order changed back; the last features
import torch
from torch import nn

gru = nn.GRU(3, 8)
out, hidden = gru(torch.randn(10, 4, 3))
last = out[-1]
halves = out[..., -4:] + out[:, :, -1:]
first_samples = out[:, :-1]
out, hidden = gru(torch.randn(10, 4, 3))
out = out.transpose(0, 1)
last = out[:, -1]
given = {"batch_first": True}
out, hidden = nn.GRU(3, 8, **given)(torch.randn(4, 10, 3))
last = out[:, -1]
