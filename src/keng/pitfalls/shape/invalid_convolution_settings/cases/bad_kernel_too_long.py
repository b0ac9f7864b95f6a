# a kernel that is too long
import torch
import torch.nn.functional as F

y = F.max_pool1d(torch.ones(2, 3, 4), 9)  # run: `longer`
