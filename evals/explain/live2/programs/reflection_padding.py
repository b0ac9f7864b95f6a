from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Options:
    width: int = 16
    kernel: int = 5
    border: str = "reflection"


class Denoiser(nn.Module):
    def __init__(self, options: Options):
        super().__init__()
        common = {
            "kernel_size": options.kernel,
            "padding": options.kernel // 2,
            "padding_mode": options.border,
        }
        self.first = nn.Conv2d(1, options.width, **common)
        self.last = nn.Conv2d(options.width, 1, **common)

    def forward(self, x):
        return x - self.last(torch.relu(self.first(x)))


model = Denoiser(Options())
print(model(torch.rand(2, 1, 32, 32)).shape)
