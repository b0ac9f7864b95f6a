# transposed
import torch

x = torch.ones(8, 5, 4)
y = x.t()  # run: `3D`
