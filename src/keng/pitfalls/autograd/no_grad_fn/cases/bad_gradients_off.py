# gradients are off
import torch
from torch import nn

model = nn.Linear(8, 1)
with torch.no_grad():
    loss = model(torch.randn(16, 8)).square().mean()
loss.backward()  # check: nothing was recorded
