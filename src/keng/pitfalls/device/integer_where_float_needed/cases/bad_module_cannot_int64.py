# a module; `cannot be int64`
import torch
from torch import nn

net = nn.Linear(2, 2).to(torch.long)  # run: weights are floats
