# a negative slope in place
import torch
import torch.nn.functional as F

x = torch.ones(3, requires_grad=True) * 2
F.leaky_relu_(x, -0.2).sum().backward()  # run: `inplace=False`
