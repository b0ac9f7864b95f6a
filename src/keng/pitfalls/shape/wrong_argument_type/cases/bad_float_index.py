# A half
import torch

x = torch.ones(4, 3)
middle = x[x.shape[0] / 2]  # run: `//`
