# another structure
import torch
from torch import nn

program = torch.export.export(nn.Linear(2, 2), (torch.ones(1, 2),))
y = program.module()(torch.ones(1, 2), torch.ones(1))  # run: the same arguments
