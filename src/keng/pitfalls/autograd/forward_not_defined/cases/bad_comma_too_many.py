# a comma too many
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = (nn.Linear(2, 2),)

    def forward(self, x):
        return self.fc(x)  # run: `self.fc` is a tuple


y = Net()(torch.ones(1, 2))
