# a layer's padding
import torch
import torch.nn.functional as F

y = F.conv2d(torch.ones(1, 3, 8, 8), torch.ones(4, 3, 3, 3), padding="full")  # run: `'valid'`
