# an image with its alpha channel
import torch
from torch import nn

conv = nn.Conv2d(3, 6, 3)
image = torch.zeros(1, 4, 8, 8)
out = conv(image)  # run: `convert('RGB')`
