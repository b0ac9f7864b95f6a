# a tensor for a tuple
import torch

x = torch.ones(3)
y, dy = torch.func.jvp(torch.sin, x, torch.ones(3))  # run: `(x,)`
