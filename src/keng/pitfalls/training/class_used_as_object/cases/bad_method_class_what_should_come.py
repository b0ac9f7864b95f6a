# a method of a class, with what should come second
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x, mask=None):
        return self.fc(x)


y = Net.forward(torch.ones(2), None)  # run: `Net.forward`
