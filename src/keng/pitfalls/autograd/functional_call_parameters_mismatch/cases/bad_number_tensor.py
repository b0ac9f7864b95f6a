# a number for a tensor
import torch
from torch import nn
from torch.func import functional_call

y = functional_call(nn.Linear(2, 2), {"weight": 3}, torch.ones(1, 2))  # run: `3`
