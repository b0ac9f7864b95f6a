# a layer made of a tensor
import torch
from torch import nn

y = nn.Dropout(torch.ones(2))  # run: `nn.Dropout(0.5)(x)`
