# no size to come to
import torch
import torch.nn.functional as F

y = F.adaptive_avg_pool2d(torch.ones(1, 3, 8, 8), (1, -1))  # run: `None`
