# one direction; halves from both ends; only the forward half; in addition to a mean over all steps; a query for all steps; in addition to the states
import torch
from torch import nn

single = nn.GRU(3, 8, batch_first=True)
double = nn.GRU(3, 8, batch_first=True, bidirectional=True)
x = torch.randn(4, 10, 3)
out, _ = single(x)
last = out[:, -1]
out, _ = double(x)
ends = torch.cat((out[:, -1, :8], out[:, 0, 8:]), dim=1)
out, _ = double(x)
ends = out[:, -1] + out[:, 0]
out, _ = double(x)
last = out[:, -1]
forward_half = last[:, :8]
out, _ = double(x)
forward_half, _ = out[:, -1].chunk(2, dim=-1)
out, _ = double(x)
features = torch.cat((out[:, -1], out.mean(1)), dim=1)
out, _ = double(x)
weights = (out @ out[:, -1].unsqueeze(2)).softmax(1)
out, h_n = double(x)
features = torch.cat((out[:, -1], h_n[-1]), dim=1)
last_sample = double(x)[0][-1]
swapped = nn.GRU(3, 8, batch_first=x.dim() == 3, bidirectional=True)
last_sample = swapped(x)[0][-1]
