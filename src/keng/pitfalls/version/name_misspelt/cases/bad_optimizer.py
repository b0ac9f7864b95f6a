# an optimizer
import torch
from torch import nn

optimizer = torch.optim.sgd(nn.Linear(2, 2).parameters(), lr=0.1)  # run: `torch.optim.SGD`
