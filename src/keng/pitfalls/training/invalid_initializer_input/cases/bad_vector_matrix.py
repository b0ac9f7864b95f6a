# a vector for a matrix
import torch
from torch import nn

nn.init.orthogonal_(torch.empty(3))  # run: `2 or more dimensions`
