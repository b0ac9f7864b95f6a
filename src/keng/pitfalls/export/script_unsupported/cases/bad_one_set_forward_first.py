# one that is set in forward first
import torch
from torch import nn


class Blur(nn.Module):
    def forward(self, x):
        self.filt = x
        return x


torch.jit.script(Blur())  # run: `filt`
