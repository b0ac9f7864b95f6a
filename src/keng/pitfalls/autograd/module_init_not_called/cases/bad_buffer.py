# a buffer
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):  # check: super().__init__() is missing
        self.register_buffer("mean", torch.zeros(3))


net = Net()
