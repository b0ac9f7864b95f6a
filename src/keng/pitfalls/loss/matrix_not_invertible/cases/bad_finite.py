# not finite
import torch

a = torch.full((2, 2), float("nan"))
u, s, v = torch.linalg.svd(a)  # run: `NaN`
