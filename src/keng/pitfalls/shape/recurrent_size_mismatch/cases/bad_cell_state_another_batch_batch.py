# a cell and the state of another batch; `a batch of 2`
import torch
from torch import nn

cell = nn.GRUCell(4, 3)
state = cell(torch.ones(2, 4), torch.zeros(5, 3))  # run: made for 5
