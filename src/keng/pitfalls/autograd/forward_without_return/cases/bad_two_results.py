# two results
import torch
from torch import nn


class Encoder(nn.Module):
    def forward(self, x):
        out, state = x, x.sum()


encoder = Encoder()
out, state = encoder(torch.ones(3))  # run: `encoder(torch.ones(3))`
