# a rate below zero
import torch
from torch import nn

optimizer = torch.optim.Adam(nn.Linear(2, 2).parameters(), lr=-0.1)  # run: `-0.1`
