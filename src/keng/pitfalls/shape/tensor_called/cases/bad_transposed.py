# the transposed
import torch

x = torch.ones(2, 3)
y = x.T()  # run: `.T`
