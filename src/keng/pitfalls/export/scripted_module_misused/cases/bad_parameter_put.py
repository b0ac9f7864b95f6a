# a parameter is put in
import torch
from torch import nn

model = torch.jit.script(nn.Linear(4, 3))
model.register_parameter("scale", nn.Parameter(torch.ones(1)))  # run: `scale`
