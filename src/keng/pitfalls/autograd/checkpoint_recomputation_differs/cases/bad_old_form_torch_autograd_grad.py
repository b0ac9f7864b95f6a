# the old form and `torch.autograd.grad`
import torch
from torch.utils.checkpoint import checkpoint

x = torch.ones(3, requires_grad=True)
loss = checkpoint(torch.exp, x, use_reentrant=True).sum()
(grad,) = torch.autograd.grad(loss, x)  # run: `use_reentrant=False`
