# more letters than dimensions
import torch

a, b = torch.ones(2, 3), torch.ones(3)
c = torch.einsum("ij,jk->ik", a, b)  # run: one dimension, two letters
