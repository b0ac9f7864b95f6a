# a counter that is set back
import torch

count = torch.ones(4).sum()
count[0] = 0.0  # check: a full sum has no dimensions
