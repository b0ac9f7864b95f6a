# a test that was switched off is true for every object
import torch
from torch import nn


class Pipeline(nn.Module):
    def __init__(self, config):
        super().__init__()
        if True or config["depthwise"]:
            self.conv = nn.Conv1d(3, 4, 1)

    def forward(self, x):
        return self.conv(x)


Pipeline({})(torch.randn(2, 3, 5))
