# the parameters that are trained are copied, and the frozen ones are averaged
import copy

import torch
from torch import nn

model = nn.Linear(2, 1)
shadow = copy.deepcopy(model)
decay = 0.9
with torch.no_grad():
    model.weight.add_(1.0)
    for mean, param in zip(shadow.parameters(), model.parameters(), strict=True):
        if not param.requires_grad:  # check: the average moves where `param` is frozen
            mean.lerp_(param, 1 - decay)
        else:
            mean.copy_(param)

# proof
assert torch.equal(shadow.weight, model.weight)
