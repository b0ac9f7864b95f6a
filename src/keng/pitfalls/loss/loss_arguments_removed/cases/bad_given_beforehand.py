# given beforehand
import functools
import warnings

import torch
import torch.nn.functional as F

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    criterion = functools.partial(F.mse_loss, size_average=False)  # check: the sum
    loss = criterion(torch.ones(4), torch.zeros(4))

# proof
assert any("size_average" in str(warning.message) for warning in said)
