# the same, clamped as for guided backpropagation
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(1, 1, 1), nn.ReLU())


def guided(layer, grad_in, grad_out):
    return (torch.clamp(grad_in[0], min=0.0),)  # run: `grad_in[0]` is None


net[0].register_full_backward_hook(guided)
net(torch.ones(1, 1, 2, 2)).sum().backward()
