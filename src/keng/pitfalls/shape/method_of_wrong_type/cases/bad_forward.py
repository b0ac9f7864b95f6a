# in a forward
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x.reshape(x.shape[0], -1)  # run: a tuple


flat = Net()((torch.ones(2, 3), torch.ones(2)))
