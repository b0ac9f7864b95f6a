# no batch
import torch

x = torch.ones(3)
y = torch.vmap(torch.sum, in_dims=1)(x)  # run: `x.unsqueeze(0)`
