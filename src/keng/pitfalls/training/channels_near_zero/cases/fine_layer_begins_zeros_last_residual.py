# a layer initialized with zeros, such as the last of a residual block; a layer that scores classes
import io

import torch
from torch import nn

torch.manual_seed(0)
model = nn.ModuleDict({"last": nn.Conv2d(8, 8, 3), "head": nn.Linear(8, 4)})
nn.init.zeros_(model["last"].weight)
with torch.no_grad():
    model["head"].weight[1] *= 1e-6
file = io.BytesIO()
torch.save(model.state_dict(), file)
