# without saying in which order
import warnings

import torch

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    x, y = torch.arange(2), torch.arange(3)
    x, y = torch.meshgrid(x, y)  # check: which of the two orders

# proof
assert "indexing" in str(said[0].message)
