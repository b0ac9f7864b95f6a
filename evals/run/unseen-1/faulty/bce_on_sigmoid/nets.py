import torch
from torch import nn


class Tower(nn.Module):
    def __init__(self, features, tags):
        super().__init__()
        self.hidden = nn.Linear(features, 24)
        self.tags = nn.Linear(24, tags)

    def forward(self, x):
        return self.tags(torch.tanh(self.hidden(x))).sigmoid()
