# channels last
import torch
from torch import nn

y = nn.BatchNorm1d(3)(torch.ones(2, 7, 3))  # run: `movedim`
