# a shifted slice
import torch

x = torch.arange(5.0)
torch.add(x[:-1], 1, out=x[1:])  # run: the slices overlap
