# lists, arrays and numbers; code that tests the type first
import numpy as np
import torch


def as_tensor(value: torch.Tensor):
    return value if isinstance(value, torch.Tensor) else torch.tensor(value)


def ratios(value: torch.Tensor):
    if not torch.is_tensor(value):
        value = torch.tensor(value)
    return value


x = as_tensor(torch.ones(3))
y = torch.tensor([1.0, 2.0]) + torch.tensor(np.ones(2))
z = ratios(x) + torch.tensor(x.tolist()) + torch.tensor(x.sum().item()) + torch.tensor(x.shape[0])
