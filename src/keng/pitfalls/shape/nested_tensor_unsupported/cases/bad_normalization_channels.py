# a normalization of channels
import torch
from torch import nn

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
y = nn.BatchNorm1d(4)(words)  # run: `values()`
