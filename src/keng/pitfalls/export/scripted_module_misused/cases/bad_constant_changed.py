# a constant is changed
import torch
from torch import nn

model = torch.jit.script(nn.Linear(4, 3))
model.in_features = 7  # run: `in_features`
