# two arguments
import torch

x, weight = torch.ones(5, 3), torch.ones(3)
y = torch.vmap(torch.dot, in_dims=(0,))(x, weight)  # run: `in_dims=(0, None)`
