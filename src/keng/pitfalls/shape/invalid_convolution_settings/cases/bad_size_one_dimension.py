# a size of one dimension
import torch
from torch import nn

pool = nn.MaxUnpool2d(2)
indices = torch.zeros(1, 1, 2, 2, dtype=torch.long)
y = pool(torch.ones(1, 1, 2, 2), indices, output_size=(4,))  # run: `x.shape`
