# two inputs of a layer
import torch
from torch import nn

y = nn.Bilinear(4, 5, 2)(torch.ones(2, 4), torch.ones(3, 5))  # run: `2 and 3`
