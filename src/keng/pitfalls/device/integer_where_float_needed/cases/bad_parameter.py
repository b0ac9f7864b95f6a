# a parameter
import torch
from torch import nn

table = nn.Parameter(torch.arange(3))  # run: whole numbers have no gradient
