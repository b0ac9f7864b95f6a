# a layer for its result
import torch
from torch import nn

x = torch.ones(2, 3)
y = x + nn.Linear(3, 3)  # run: `Linear(...)(x)`
