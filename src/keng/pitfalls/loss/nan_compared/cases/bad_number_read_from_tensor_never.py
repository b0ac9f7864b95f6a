# a number read from a tensor is never that one
import numpy as np
import torch

loss = torch.tensor(float("nan")).mean()
found = loss.item() is np.nan  # check: never true

# proof
assert not found
