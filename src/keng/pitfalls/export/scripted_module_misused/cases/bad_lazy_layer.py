# a lazy layer
import torch
from torch import nn

torch.jit.script(nn.LazyLinear(3))  # run: `LazyLinear`
