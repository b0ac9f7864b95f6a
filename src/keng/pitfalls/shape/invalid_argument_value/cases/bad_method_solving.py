# a method of solving
import torch

x = torch.linalg.lstsq(torch.ones(3, 2), torch.ones(3, 1), driver="svd")  # run: `gelsd`
