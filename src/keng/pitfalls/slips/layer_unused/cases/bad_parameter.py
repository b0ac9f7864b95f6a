# a parameter that the sum does not get
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))
        self.shift = nn.Parameter(torch.zeros(4))  # check: `shift` is created here

    def forward(self, x):
        return x * self.scale


model = Scaled()
model(torch.ones(2, 4)).sum().backward()

# proof
assert model.shift.grad is None and model.scale.grad is not None
