# NumPy
import numpy as np
import torch

torch.manual_seed(0)
order = np.random.permutation(100)  # check: another order in each run

# proof
torch.manual_seed(0)
assert (np.random.permutation(100) != order).any()
