# a loss made anew of its value
import torch
from torch import nn

model = nn.Linear(8, 1)
loss = model(torch.randn(16, 8)).square().mean()
loss = torch.tensor(loss.item(), requires_grad=True)
loss.backward()  # check: the model is not behind it any more

# proof
assert model.weight.grad is None
