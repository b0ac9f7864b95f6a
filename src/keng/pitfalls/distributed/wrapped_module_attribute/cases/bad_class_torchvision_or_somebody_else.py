# a class of torchvision, or of somebody else
from torch import nn

inner = nn.Sequential()
inner.add_module("head", nn.Linear(4, 2))
net = nn.DataParallel(inner)
head = net.head  # run: the wrapper has no such attribute
