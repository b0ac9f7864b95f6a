# another dtype
import torch
from torch import nn

weight = nn.Parameter(torch.ones(3))
weight.grad = torch.ones(3, dtype=torch.float64)  # run: `double`
