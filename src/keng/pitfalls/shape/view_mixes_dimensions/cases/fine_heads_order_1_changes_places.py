# heads in order; a dimension of size 1 that moves; pieces of an image; groups of channels; rows shifted for relative positions
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
layer, x = nn.Linear(16, 16), torch.randn(2, 6, 16)
heads = layer(x).view(2, 6, 4, 4).transpose(1, 2)
together = (heads.softmax(-1) @ heads.mT @ heads).transpose(1, 2).reshape(2, 6, 16)
gate = together.mean(1, keepdim=True).view(2, 16, 1)
(gate.view(2, 1, 16) * together).sum().backward()
conv = nn.Conv2d(3, 8, 3, padding=1)
image = conv(torch.randn(2, 3, 8, 8))
pieces = image.view(2, 8, 4, 2, 4, 2).transpose(3, 4).reshape(2, 8, 16, 4)
grouped = image.view(2, 8, 8, 8).view(2, 4, -1)
(pieces.sum() + grouped.std(2).sum()).backward()
distances = layer(x) @ layer(torch.randn(2, 16, 6).mT).mT
shifted = F.pad(distances, (1, 0)).view(2, 7, 6)[:, 1:].reshape(2, 6, 6)
shifted.sum().backward()
