# a list of modules
import torch
from torch import nn

layers = nn.ModuleList([nn.Linear(2, 2)])
out = layers(torch.ones(1, 2))  # run: `Call its layers one after another`
