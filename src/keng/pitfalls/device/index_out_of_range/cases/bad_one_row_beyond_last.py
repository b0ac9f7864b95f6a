# one row beyond the last
import torch

row = torch.ones(3, 4).select(0, 5)  # run: `dimension 0 has size 3`
