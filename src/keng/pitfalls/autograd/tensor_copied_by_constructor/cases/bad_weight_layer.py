# the weight of a layer
import warnings

import torch
from torch import nn

layer = nn.Linear(4, 2)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    before = torch.tensor(layer.weight)  # check: `layer.weight` is a tensor already

# proof
assert "sourceTensor" in str(said[0].message)
