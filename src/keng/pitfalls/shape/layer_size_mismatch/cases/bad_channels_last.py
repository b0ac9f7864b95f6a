# channels last
import torch
from torch import nn

conv = nn.Conv2d(3, 6, 3)
images = torch.zeros(2, 32, 48, 3)
out = conv(images)  # run: so `images.permute(0, 3, 1, 2)`
