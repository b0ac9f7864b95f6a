# of another type
import torch
from torch import nn

layer = torch.jit.script(nn.Linear(2, 2))
y = layer([1.0, 2.0])  # run: `input` is a list, and Tensor is declared
