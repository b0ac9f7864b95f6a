# what a module was never given
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.memory = None

    def forward(self, x):
        return self.fc(x) + self.memory  # run: `self.memory`, which is None: line 9


Net()(torch.randn(3, 4))
