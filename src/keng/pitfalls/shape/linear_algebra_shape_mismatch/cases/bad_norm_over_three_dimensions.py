# a norm over three dimensions
import torch

size = torch.linalg.norm(torch.ones(2, 3, 4), dim=(0, 1, 2))  # run: `[0, 1, 2]`
