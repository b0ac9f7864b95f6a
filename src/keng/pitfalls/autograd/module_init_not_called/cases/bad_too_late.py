# too late
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        self.weight = nn.Parameter(torch.ones(3))  # check: before super().__init__()
        super().__init__()


net = Net()
