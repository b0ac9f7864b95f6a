# frames and channels exchanged behind a loop over blocks
import torch
from torch import nn


class Temporal(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(2))

    def forward(self, x):
        batch, frames, channels = x.shape
        for block in self.blocks:
            x = block(x)
        return x.reshape(batch, channels, frames)  # check: moves no element


torch.manual_seed(0)
temporal, x = Temporal(6), torch.randn(2, 3, 6)
out = temporal(x)

# proof
for block in temporal.blocks:
    x = block(x)
assert not torch.equal(out, x.transpose(1, 2))
