# other calls of the base constructor; plain attributes before it; a class that is no module
import torch
from torch import nn


class Old(nn.Module):
    def __init__(self):
        nn.Module.__init__(self)
        self.fc = nn.Linear(8, 3)


class Older(nn.Module):
    def __init__(self, size):
        self.size = size
        super(Older, self).__init__()
        self.fc = nn.Linear(size, 3)


class Inherits(Older):
    def __init__(self):
        self._build()

    def _build(self):
        super().__init__(8)


class Trainer:
    def __init__(self):
        self.net = nn.Linear(8, 3)


class Stateless(nn.Module):
    def forward(self, x):
        return x


Old(), Older(8), Inherits(), Trainer(), Stateless()
