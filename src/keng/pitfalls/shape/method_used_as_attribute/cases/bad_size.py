# a size
import torch

rows = torch.ones(3, 2).size[0]  # run: `.size()`
