# an inner product
import torch

product = torch.inner(torch.ones(2, 4), torch.ones(4, 3))  # run: `[2, 4] and [4, 3]`
