# another type
import torch
from torch import nn

w = nn.Parameter(torch.randn(3)).double()  # check: the converted copy is no leaf
optimizer = torch.optim.Adam([{"params": [w], "lr": 0.1}])
