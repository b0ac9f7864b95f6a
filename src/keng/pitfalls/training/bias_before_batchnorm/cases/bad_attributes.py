# as attributes
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(3, 4, 3, padding=1)  # check: taken away by `norm`
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))


block = Block()
y = block(torch.randn(8, 3, 6))
(y * torch.randn_like(y)).sum().backward()

# proof
assert block.conv.bias.grad.abs().max() < 1e-4
