# counts; other numbers
import torch

y = torch.log(1 + torch.arange(3)) + torch.log(1 + torch.floor(torch.rand(3) * 9))
z = torch.log(2 + torch.rand(3))
w = torch.exp(torch.rand(3)) - 2
