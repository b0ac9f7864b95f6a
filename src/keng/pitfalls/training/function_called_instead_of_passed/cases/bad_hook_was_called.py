# a hook that was called
import torch
from torch import nn

layer = nn.Linear(2, 2)
layer.register_forward_hook(print())
layer(torch.ones(1, 2))  # run: `hook`
