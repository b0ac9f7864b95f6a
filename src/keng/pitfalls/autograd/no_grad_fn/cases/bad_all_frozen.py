# all frozen
import torch
from torch import nn

model = nn.Linear(8, 1).requires_grad_(False)
loss = model(torch.randn(16, 8)).square().mean()
loss.backward()  # run: no parameter requires a gradient
