# a normalization
import torch
from torch import nn

norm = nn.BatchNorm1d(3)
x = torch.ones(4, 3, dtype=torch.float64)
y = norm(x)  # run: float64 meets float32 weights
