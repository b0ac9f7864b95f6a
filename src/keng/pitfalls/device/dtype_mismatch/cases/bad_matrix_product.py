# a matrix product
import torch

a, rows = torch.ones(2, 3), torch.tensor([1, 0])
b = torch.ones(3, 2, dtype=torch.float64)
c = a[rows] @ b  # run: `a (float32), b (float64)`
