# a layer
import torch
from torch import nn

layers = nn.ModuleList([nn.Linear(2, 2)])
y = layers[1](torch.ones(1, 2))  # run: `layer 1`
