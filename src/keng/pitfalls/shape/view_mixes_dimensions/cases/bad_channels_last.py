# channels last
import torch
from torch import nn

conv, layer = nn.Conv2d(1, 3, 3), nn.Linear(3, 2)
images = conv(torch.randn(2, 1, 8, 10))
n, c, h, w = images.shape
pixels = images.view(n, h, w, c)  # check: three neighbours are no pixel
layer(pixels).sum().backward()

# proof
assert not torch.equal(pixels, images.permute(0, 2, 3, 1))
