# a matrix without a batch
import torch

a, b = torch.ones(5, 8), torch.ones(8, 6)
product = torch.bmm(a, b)  # run: two dimensions
