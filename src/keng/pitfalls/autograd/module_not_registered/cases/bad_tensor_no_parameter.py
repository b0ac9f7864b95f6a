# a tensor that is no Parameter
import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.gamma = torch.zeros(1, requires_grad=True)  # check: no Parameter

    def forward(self, x):
        return x + self.gamma * self.body(x)


net = Residual()
names = [name for name, _ in net.named_parameters()]

# proof
assert "gamma" not in names
