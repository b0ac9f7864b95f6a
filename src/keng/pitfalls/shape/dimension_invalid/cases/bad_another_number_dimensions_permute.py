# another number of dimensions to permute
import torch

image = torch.ones(8, 8)
moved = image.permute(2, 0, 1)  # run: 2 dimensions, 3 named
