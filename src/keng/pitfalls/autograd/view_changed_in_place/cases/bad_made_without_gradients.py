# made without gradients
import torch

x = torch.ones(3, requires_grad=True) * 1
with torch.no_grad():
    row = x.view(1, 3)
row.mul_(2)  # run: `no_grad`
