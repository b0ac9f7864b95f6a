# A transform gets arguments of another form than its function has
import torch
from torch import nn

x, weight = torch.ones(5, 3), torch.ones(3)
y = torch.vmap(torch.dot, in_dims=(0, None))(x, weight)
y, dy = torch.func.jvp(torch.sin, (weight,), (torch.ones(3),))
parameters, buffers = torch.func.stack_module_state([nn.Linear(2, 2) for _ in range(3)])
