# what is trained is averaged, and what is frozen is copied
import copy

import torch
from torch import nn

model = nn.Linear(2, 1)
shadow = copy.deepcopy(model)
decay = 0.9
with torch.no_grad():
    for mean, param in zip(shadow.parameters(), model.parameters(), strict=True):
        if param.requires_grad:
            mean.lerp_(param, 1 - decay)
        else:
            mean.copy_(param)
    for mean, param in zip(shadow.parameters(), model.parameters(), strict=True):
        if not param.requires_grad:
            mean.copy_(param)
        else:
            mean.sub_((1 - decay) * (mean - param))
