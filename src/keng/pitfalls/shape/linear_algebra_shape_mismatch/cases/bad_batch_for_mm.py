# a batch for what takes matrices
import torch

x, weight = torch.ones(8, 5, 4), torch.ones(4, 2)
y = torch.mm(x, weight)  # run: `torch.matmul`
