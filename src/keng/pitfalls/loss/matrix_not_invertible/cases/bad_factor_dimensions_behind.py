# a factor with dimensions behind it
import torch

factor = torch.linalg.cholesky(torch.eye(3) + 0.1)
inverse = torch.cholesky_inverse(factor[:, :, None, None])  # run: `the last two dimensions`
