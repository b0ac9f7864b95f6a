import torch
from torch import nn


def normalize(channels, groups=32):
    return nn.GroupNorm(groups, channels)


class ResBlock(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential(
            normalize(channels), nn.SiLU(), nn.Conv2d(channels, channels, 3, padding=1),
            normalize(channels), nn.SiLU(), nn.Conv2d(channels, channels, 3, padding=1),
        )

    def forward(self, x):
        return x + self.body(x)


def denoiser(width=48, blocks=2):
    return nn.Sequential(
        nn.Conv2d(3, width, 3, padding=1), *(ResBlock(width) for _ in range(blocks)), nn.Conv2d(width, 3, 1)
    )


model = denoiser()
print(model(torch.randn(1, 3, 32, 32)).shape)
