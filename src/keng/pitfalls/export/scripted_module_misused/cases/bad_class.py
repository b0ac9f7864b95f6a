# a class
import torch
from torch import nn

torch.jit.script(nn.Linear)  # run: an instance
