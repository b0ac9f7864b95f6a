# channels last, without a batch
import torch
from torch import nn

conv = nn.Conv2d(3, 6, 3)
image = torch.zeros(32, 48, 3)
out = conv(image)  # run: so `image.permute(2, 0, 1)`
