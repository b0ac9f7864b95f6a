# a row of features
import torch
from torch import nn

y = nn.ReflectionPad1d(3)(torch.ones(16, 256, 2))  # run: `the signal has 2 values`
