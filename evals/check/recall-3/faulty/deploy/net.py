import torch
import torch.nn.functional as F
from torch import nn


class Upscaler(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.head = nn.Conv2d(3, width, 3, padding=1)
        self.body = nn.Sequential(*[nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.ReLU()) for _ in range(4)])
        self.tail = nn.Conv2d(width, 3, 3, padding=1)

    def forward(self, x):
        y = self.head(x)
        if y.abs().mean() > 1:
            y = y / y.abs().mean()
        y = F.interpolate(self.body(y), scale_factor=2, mode="bilinear", align_corners=False)
        return torch.sigmoid(self.tail(y))
