# a place without a layer
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2))
net.append(nn.ReLU())
net[1] = None
y = net(torch.ones(1, 2))  # run: `nn.Sequential`
