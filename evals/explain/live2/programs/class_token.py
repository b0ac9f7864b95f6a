import torch
from einops.layers.torch import Rearrange
from torch import nn

SIDE = 14


class Decoder(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.token = nn.Parameter(torch.zeros(1, 1, width))
        self.map = Rearrange("b (h w) c -> b c h w", h=SIDE, w=SIDE)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, patches):
        token = self.token.expand(len(patches), -1, -1)
        return self.out(self.map(torch.cat([token, patches], dim=1)))


patches = torch.randn(2, SIDE * SIDE, 32)
print(Decoder()(patches).shape)
