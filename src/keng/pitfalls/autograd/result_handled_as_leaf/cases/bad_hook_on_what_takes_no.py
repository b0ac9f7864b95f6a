# a hook on what takes no gradient
import torch

x = torch.ones(3)
x.register_hook(print)  # run: `requires_grad`
