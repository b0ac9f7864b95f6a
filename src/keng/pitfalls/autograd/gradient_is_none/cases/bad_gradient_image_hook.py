# the gradient of an image, in a hook
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU())


def keep(layer, grad_in, grad_out):
    net.saliency = grad_in[0].abs()  # run: `grad_in[0]` is None


net[0].register_full_backward_hook(keep)
net(torch.ones(1, 3, 8, 8)).sum().backward()
