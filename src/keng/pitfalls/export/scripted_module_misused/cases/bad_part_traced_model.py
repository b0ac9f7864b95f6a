# a part of a traced model
import torch
from torch import nn

model = torch.jit.trace(nn.Sequential(nn.Linear(4, 3)), torch.ones(1, 4))
next(model.children())(torch.ones(1, 4))  # run: traced by itself
