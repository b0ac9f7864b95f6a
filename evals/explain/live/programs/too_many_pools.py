import torch
from torch import nn


def encoder(depth=5, width=8):
    layers, channels = [], 3
    for i in range(depth):
        layers += [nn.Conv2d(channels, width << i, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
        channels = width << i
    return nn.Sequential(*layers, nn.Flatten())


thumbnails = torch.rand(10, 3, 16, 16)
features = encoder()(thumbnails)
print(features.shape)
