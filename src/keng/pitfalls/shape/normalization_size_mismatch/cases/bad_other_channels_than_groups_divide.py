# other channels than its groups divide; `5 channels`
import torch
from torch import nn

norm = nn.GroupNorm(2, 4)
y = norm(torch.ones(2, 5, 3))  # run: made for 4
