# an argument that is not kept
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=2):
        super().__init__()
        self.fc = nn.Linear(width, 2)

    def forward(self, x):
        return self.fc(x).view(-1, self.width)  # run: `a Net has no width`


net = Net()
net(torch.ones(1, 2))
