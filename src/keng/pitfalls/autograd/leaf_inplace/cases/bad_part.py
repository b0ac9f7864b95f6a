# a part
import torch
from torch import nn

table = nn.Embedding(10, 4)
table.weight[0] = torch.zeros(4)  # run: a part of a parameter
