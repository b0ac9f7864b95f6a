# raw outputs of a model
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = nn.Linear(8, 4), nn.Linear(4, 1)

    def forward(self, x):
        x = torch.relu(self.hidden(x))
        return self.out(x).squeeze(1)


torch.manual_seed(0)
net = Net()
loss = F.binary_cross_entropy(net(torch.randn(64, 8)), torch.ones(64))  # check: no sigmoid
