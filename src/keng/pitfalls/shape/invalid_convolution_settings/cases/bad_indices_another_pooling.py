# indices of another pooling
import torch
import torch.nn.functional as F

y, where = F.max_pool2d(torch.ones(1, 3, 32, 32), 8, return_indices=True)
x = F.max_unpool2d(y, where, 2)  # run: `8 x 8`
