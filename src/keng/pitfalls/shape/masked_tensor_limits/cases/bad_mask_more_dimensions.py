# a mask of more dimensions
import torch

mask = torch.ones(2, 3, 4, dtype=torch.bool)
mean = torch.masked.mean(torch.rand(2, 3), 1, mask=mask)  # run: `dimensions`
