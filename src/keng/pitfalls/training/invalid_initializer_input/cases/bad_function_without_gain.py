# a function without a gain
import torch
from torch import nn

nn.init.kaiming_normal_(torch.empty(3, 2), nonlinearity="gelu")  # run: `gelu`
