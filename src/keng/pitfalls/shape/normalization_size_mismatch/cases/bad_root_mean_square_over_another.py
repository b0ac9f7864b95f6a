# the root mean square, over another size
import torch
from torch import nn

norm = nn.RMSNorm(4)
y = norm(torch.ones(2, 3))  # run: `norm` is made for (4) at the end, and gets (2, 3)
