# groups
import torch
import torch.nn.functional as F

y = F.conv2d(torch.ones(1, 3, 8, 8), torch.ones(4, 1, 3, 3), groups=3)  # run: `4 output channels`
