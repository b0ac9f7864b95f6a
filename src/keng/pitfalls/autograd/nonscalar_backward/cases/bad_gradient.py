# a gradient
import torch

x = torch.randn(4, requires_grad=True)
y = x.square()
(slope,) = torch.autograd.grad(y, x)  # run: `torch.ones_like(y)`
