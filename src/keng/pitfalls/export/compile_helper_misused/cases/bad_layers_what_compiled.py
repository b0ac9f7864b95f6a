# layers of what is compiled
import torch
from torch import nn

model = torch.compile(nn.Sequential(nn.Linear(2, 2)), backend="eager")
first = model[0]  # run: `_orig_mod`
