# the order of a grid
import torch

x = torch.arange(3)
grid = torch.meshgrid(x, x, indexing="yx")  # run: `"xy" or "ij"`
