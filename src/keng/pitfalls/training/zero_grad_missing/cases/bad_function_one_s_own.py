# by a function of one's own
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))


def sgd(params, rate):
    for param in params:
        param.data.add_(param.grad, alpha=-rate)


for x in torch.randn(32, 4).split(4):
    net(x).square().mean().backward()  # check: adds to the gradients before
    sgd(net.parameters(), 0.01)
