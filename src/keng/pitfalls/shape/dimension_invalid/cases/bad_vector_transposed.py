# a vector transposed
import torch

x = torch.ones(3)
product = x @ x.mT  # run: `gets 1`
