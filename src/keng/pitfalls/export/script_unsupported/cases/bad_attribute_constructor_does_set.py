# an attribute that the constructor does not set
import torch
from torch import nn


class Blur(nn.Module):
    def forward(self, x):
        return x * self.filt


torch.jit.script(Blur())  # run: `filt`
