# LayerNorm for channels
import torch
from torch import nn

norm = nn.LayerNorm(16)
out = norm(torch.ones(2, 16, 8, 8))  # run: `they are not last`
