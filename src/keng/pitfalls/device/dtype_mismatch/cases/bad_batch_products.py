# a batch of products
import torch

a, b = torch.ones(1, 2, 3), torch.ones(1, 3, 2).double()
c = torch.bmm(a, b)  # run: float32 meets float64
