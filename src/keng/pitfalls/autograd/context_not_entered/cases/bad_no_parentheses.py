# no parentheses
import torch
from torch import nn

model = nn.Linear(4, 2)
with torch.no_grad:  # check: this is the class
    y = model(torch.randn(1, 4))
