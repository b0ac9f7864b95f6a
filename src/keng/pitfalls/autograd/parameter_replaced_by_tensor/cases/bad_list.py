# a list
from torch import nn

layers = [nn.Linear(2, 2), nn.ReLU()]
net = nn.Sequential(layers)  # run: `nn.Sequential(*layers)`
