# too many
import torch
from torch import nn

layer = nn.Linear(2, 2)
layer.register_full_backward_hook(lambda module, grad_input, grad_output: grad_input * 3)
layer(torch.ones(1, 2, requires_grad=True)).sum().backward()  # run: `3 gradients`
