# dimensions are named twice, or in an order that cannot be
import torch

image = torch.ones(3, 4, 5).permute(1, 2, 0)
total = torch.ones(2, 3).sum(dim=(0, 1))
rows = torch.ones(2, 3, 4).flatten(1, 2)
