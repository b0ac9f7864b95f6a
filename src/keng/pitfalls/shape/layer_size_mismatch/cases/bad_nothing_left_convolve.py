# nothing left to convolve
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.MaxPool2d(2), nn.Conv2d(4, 4, 5))
out = net(torch.randn(2, 1, 10, 10))  # run: `kernel of 5 x 5 but the padded input is only 4 x 4`; `padding=1`
