# an image of bytes
import torch
from torch import nn

conv = nn.Conv2d(3, 8, 3)
image = torch.zeros(1, 3, 8, 8, dtype=torch.uint8)
y = conv(image)  # run: bytes meet float32 weights
