# a layer is put in
import torch
from torch import nn

model = torch.jit.script(nn.Sequential(nn.Linear(4, 3)))
model.add_module("act", nn.ReLU())  # run: `act`
