# a convolution
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 6, 3), nn.ReLU())
images = torch.randn(2, 1, 4, 4)
out = net(images)  # run: grey images, so `in_channels=1`
