# a size that was never pooled
import torch
import torch.nn.functional as F

y, where = F.max_pool2d(torch.ones(1, 3, 8, 8), 2, return_indices=True)
x = F.max_unpool2d(y, where, 2, output_size=(20, 20))  # run: `7 to 9`
