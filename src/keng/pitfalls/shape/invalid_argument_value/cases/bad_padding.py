# padding
import torch
import torch.nn.functional as F

y = F.pad(torch.ones(1, 3, 8, 8), (1, 1), mode="zeros")  # run: `'constant'`
