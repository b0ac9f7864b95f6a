# a matrix without an inverse
import torch
from torch import nn
from torch.nn.utils.parametrizations import orthogonal

layer = orthogonal(nn.Linear(2, 2), orthogonal_map="cayley", use_trivialization=False)
layer.weight = torch.eye(2)  # run: `use_trivialization`
