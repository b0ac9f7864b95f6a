# no room for a root
import torch
from torch import nn

y = nn.BatchNorm1d(2, eps=0)(torch.ones(3, 2))  # run: `1e-5`
