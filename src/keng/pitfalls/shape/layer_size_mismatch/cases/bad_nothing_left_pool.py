# nothing left to pool
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.MaxPool2d(8), nn.MaxPool2d(2))
out = net(torch.randn(2, 1, 10, 10))  # run: 1 x 1 is left to pool
