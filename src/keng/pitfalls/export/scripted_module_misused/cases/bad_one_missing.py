# one is missing
import torch
from torch import nn

layer = torch.jit.script(nn.Linear(2, 2))
y = layer()  # run: `input`
