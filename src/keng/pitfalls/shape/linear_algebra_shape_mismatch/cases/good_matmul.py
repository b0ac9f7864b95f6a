# a product that takes batches
import torch

x, weight = torch.ones(8, 5, 4), torch.ones(4, 2)
y = x @ weight
z = x.transpose(-2, -1)
products = (x[:, 0] * x[:, 1]).sum(-1)
inverse = torch.linalg.pinv(torch.ones(2, 3))
