# too few entries
import torch
from torch import nn

batch = torch.export.Dim("batch")
layer, x = nn.Linear(2, 2), torch.ones(3, 2)
spec = ([batch],)
program = torch.export.export(layer, (x,), dynamic_shapes=spec)  # run: 2 entries
