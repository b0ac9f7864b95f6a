# upwards; `no output channel`
import torch
from torch import nn

layer = nn.ConvTranspose2d(3, 2 // 4, 3)
y = layer(torch.ones(1, 3, 8, 8))
