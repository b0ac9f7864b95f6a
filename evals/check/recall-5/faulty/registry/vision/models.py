import torch
import torch.nn as nn
import torch.nn.functional as F

from .registry import MODELS


class Block(nn.Module):
    def __init__(self, cin, cout, drop):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1)  # check: bias-before-batchnorm
        self.bn = nn.BatchNorm2d(cout)
        self.drop = drop

    def forward(self, x):
        x = F.relu(self.bn(self.conv(x)))
        return F.dropout2d(x, self.drop)  # check: functional-dropout-always-on


@MODELS.register("pyramid")
class Pyramid(nn.Module):
    def __init__(self, widths=(32, 64, 128), classes=4, drop=0.1):
        super().__init__()
        self.stem = nn.Conv2d(3, widths[0], 7, stride=2, padding=3)
        self.stages = [Block(a, b, drop) for a, b in zip(widths, widths[1:])]  # check: module-not-registered
        self.head = nn.Conv2d(widths[-1], classes, 1)
        self.scale = torch.ones(classes, 1, 1)  # check: module-not-registered

    def forward(self, x):
        x = self.stem(x)
        for stage in self.stages:
            x = F.max_pool2d(stage(x), 2)
        x = F.interpolate(self.head(x), scale_factor=8, mode="bilinear", align_corners=False)
        return torch.sigmoid(x * self.scale)


@MODELS.register("plain")
class Plain(nn.Module):
    def __init__(self, classes=4):
        self.body = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU())  # check: module-init-not-called
        self.head = nn.Conv2d(16, classes, 1)

    def forward(self, x):
        return torch.sigmoid(self.head(self.body(x)))
