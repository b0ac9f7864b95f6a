# a layer and a number
import torch
from torch import nn

y = 2 * nn.ReLU(torch.ones(2))  # run: `ReLU(...)(x)`
