# a factor of floats
import torch

x = torch.arange(3)
x.add_(x, alpha=0.5)  # run: `x.float()`
