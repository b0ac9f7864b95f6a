# not positive definite
import torch

a = torch.tensor([[1.0, 2.0], [2.0, 1.0]])
factor = torch.linalg.cholesky(a)  # run: `not positive definite`
