# as a layer
import warnings

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 3), nn.LogSoftmax())  # check: `without dim=`
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    y = net(torch.randn(2, 4))

# proof
assert "Implicit dimension choice" in str(said[0].message)
