# A word, or a number that stands for one, chooses what a function does, and is none that it knows
import torch
import torch.nn.functional as F

x = torch.arange(3)
place = torch.searchsorted(x, torch.tensor([1]), side="right")
grid = torch.meshgrid(x, x, indexing="ij")
y = F.pad(torch.ones(1, 3, 8, 8), (1, 1), mode="constant")
size = torch.linalg.matrix_norm(torch.ones(2, 2), ord="nuc")
y = F.interpolate(torch.ones(1, 3, 8, 8), 4, mode="bilinear", antialias=True)
