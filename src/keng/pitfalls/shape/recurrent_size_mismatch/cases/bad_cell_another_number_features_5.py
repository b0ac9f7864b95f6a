# a cell and another number of features; `5 features`
import torch
from torch import nn

cell = nn.GRUCell(4, 3)
state = cell(torch.ones(2, 5))  # run: 4 are wanted
