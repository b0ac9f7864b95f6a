# a tensor that records nothing
import torch

weight, x = torch.ones(3, requires_grad=True), torch.ones(3)
y = (weight * x).sum()
(slope,) = torch.autograd.grad(y, x)  # run: `x.requires_grad_()`
