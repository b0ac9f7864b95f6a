# made of bytes, and filled
import torch

x = torch.arange(4.0)
mask = torch.ByteTensor(4).fill_(0)
mask[x > 1] = 1
others = x[~mask]  # check: 255 and 254 are both true

# proof
assert others.tolist() == [0, 1, 2, 3]
