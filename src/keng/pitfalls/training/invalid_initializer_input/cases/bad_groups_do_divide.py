# groups that do not divide
import torch
from torch import nn

nn.init.dirac_(torch.empty(3, 2, 2), groups=2)  # run: `groups`
