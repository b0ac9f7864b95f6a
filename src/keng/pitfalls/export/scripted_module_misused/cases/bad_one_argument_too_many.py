# too many
import torch
from torch import nn

layer = torch.jit.script(nn.Linear(2, 2))
y = layer(torch.ones(1, 2), torch.ones(1))  # run: `forward` takes 1 argument
