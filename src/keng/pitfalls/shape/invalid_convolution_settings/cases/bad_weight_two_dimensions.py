# a weight of two dimensions
import torch
import torch.nn.functional as F

y = F.conv1d(torch.ones(2, 3, 4), torch.ones(5, 3))  # run: `unsqueeze`
