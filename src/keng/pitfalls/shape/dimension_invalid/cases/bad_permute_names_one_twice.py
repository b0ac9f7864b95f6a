# twice in an order
import torch

image = torch.ones(3, 4, 5).permute(1, 2, 1)  # run: `twice`
