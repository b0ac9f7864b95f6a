# a name used twice
import torch
from torch import nn

loss = nn.MSELoss()
for step in range(2):
    loss = loss(torch.ones(2), torch.zeros(2))  # run: `name`
