# a backward hook
import torch
from torch import nn

layer = nn.Linear(4, 3)
layer.register_full_backward_hook(lambda module, before, after: None)
torch.jit.trace(layer, torch.ones(1, 4))  # run: backward hooks
