# a whole model saved
import io

import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm

model = weight_norm(nn.Linear(2, 2))
torch.save(model, io.BytesIO())  # run: `state_dict`
