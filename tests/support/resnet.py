"""ResNet-18 as He et al. built it (2015, table 1), for tests whose figures are known for it."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn

PARAMETERS = 11_689_512
MULTIPLY_ADDS = 1_814_073_344  # of its convolutions and last layer, at 224 x 224


class Block(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1:
            conv = nn.Conv2d(inputs, outputs, 1, stride, bias=False)
            self.shortcut = nn.Sequential(conv, nn.BatchNorm2d(outputs))

    def forward(self, x: Tensor) -> Tensor:
        y = self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x)))))
        return torch.relu(y + self.shortcut(x))


class ResNet18(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, 64, 7, 2, 3, bias=False),
            nn.BatchNorm2d(64),
            nn.ReLU(),
            nn.MaxPool2d(3, 2, 1),
        )
        widths = [64, 64, 128, 256, 512]
        stages = []
        for inputs, outputs in pairwise(widths):
            stride = 1 if inputs == outputs else 2
            stages += [Block(inputs, outputs, stride), Block(outputs, outputs, 1)]
        self.blocks = nn.Sequential(*stages)
        self.fc = nn.Linear(512, 1000)

    def forward(self, x: Tensor) -> Tensor:
        x = self.blocks(self.stem(x))
        return self.fc(x.mean((2, 3)))
