# a float
import torch

generator = torch.Generator().manual_seed(1.5)  # run: `float`
