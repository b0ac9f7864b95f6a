# a norm
import torch

size = torch.linalg.matrix_norm(torch.ones(2, 2), ord=3)  # run: `'nuc'`
