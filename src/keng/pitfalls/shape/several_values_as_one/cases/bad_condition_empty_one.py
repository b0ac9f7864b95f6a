# a condition of an empty one
import torch

found = torch.ones(3)[torch.ones(3) > 2]
if found:  # run: `x.numel() > 0`
    print(found)
