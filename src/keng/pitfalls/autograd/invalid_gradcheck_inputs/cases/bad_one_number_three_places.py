# one number in three places
import torch

x = torch.rand(1, dtype=torch.float64, requires_grad=True)
torch.autograd.gradcheck(torch.square, x.expand(3))  # run: `expand`
