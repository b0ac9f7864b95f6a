# what comes of it
import torch

x = torch.ones(2, 3, dtype=torch.float64)
weight = torch.ones(3, 2)
x.float()  # check: x stays float64
y = x @ weight
