# a switch for what moves a model
import torch
from torch import nn

net = nn.Linear(2, 2)
net.cuda = torch.cuda.is_available()
net.cuda()  # run: `cuda` of the module
