# imported by name
import warnings

import torch
from torch import nn
from torch.nn.init import constant, xavier_uniform

layer = nn.Linear(4, 4)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    xavier_uniform(layer.weight)  # check: with an underscore now
    constant(layer.bias, 0.0)  # check: the same

# proof
assert len(said) == 2
