# a second backward of one loss
import torch
from torch import nn

model = nn.Linear(4, 1)
loss = model(torch.randn(8, 4)).square().mean()
loss.backward()
print(model.weight.grad)
loss.backward()  # check: its graph is gone
