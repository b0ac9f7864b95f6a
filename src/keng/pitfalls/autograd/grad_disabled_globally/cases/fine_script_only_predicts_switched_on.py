# a script that only predicts; switched on again; a `with` block
import torch
from torch import nn

torch.set_grad_enabled(False)
model = nn.Linear(8, 1)
output = model(torch.randn(16, 8))
torch.set_grad_enabled(True)
with torch.set_grad_enabled(False):
    output = model(torch.randn(16, 8))
model(torch.randn(16, 8)).square().mean().backward()
