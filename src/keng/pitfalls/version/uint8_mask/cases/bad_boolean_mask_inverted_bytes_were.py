# a boolean mask, inverted as bytes were
import torch

x = torch.arange(4.0)
mask = x > 1
padding = 1 - mask  # run: booleans have no minus
