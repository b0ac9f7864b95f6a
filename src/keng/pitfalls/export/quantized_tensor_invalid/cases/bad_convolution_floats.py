# a convolution in floats
import torch
from torch import nn

x = torch.quantize_per_tensor(torch.ones(1, 3, 4, 4), 0.1, 0, torch.quint8)
layer = nn.Conv2d(3, 3, 1)
y = layer(x)  # run: its weights are floats
