# slices to be added
import torch

x = torch.zeros(3)
x.index_add_(0, torch.tensor([0, 1]), torch.ones(3))  # run: one index is missing
