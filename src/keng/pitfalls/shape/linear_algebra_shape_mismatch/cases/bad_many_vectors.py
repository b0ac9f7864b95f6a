# many vectors
import torch

a, b = torch.ones(8, 3), torch.ones(8, 3)
products = torch.dot(a, b)  # run: `1D`
