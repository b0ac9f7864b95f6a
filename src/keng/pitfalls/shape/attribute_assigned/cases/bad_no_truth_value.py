# no truth value
import torch

x = torch.ones(3, 4)
x.requires_grad = "yes"  # run: `True`
