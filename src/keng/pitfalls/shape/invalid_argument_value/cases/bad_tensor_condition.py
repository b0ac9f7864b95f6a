# a tensor for a condition
import torch

torch._check(torch.ones(2).sum() > 0)  # run: `torch._check_tensor_all`
