# modules, which change in place; sets and lists with methods of the same name; a probe
import torch
from torch import nn

model = nn.Linear(2, 2)
model.half()
model.float()
seen = set()
seen.add(1)
seen.clear()
x = torch.ones(3)
torch.clamp(x, max=0.5, out=x)
torch.nn.functional.relu(x, inplace=True)
try:
    x.view(2)
except RuntimeError:
    pass
