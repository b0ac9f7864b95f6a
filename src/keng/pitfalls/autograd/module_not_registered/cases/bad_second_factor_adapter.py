# the second factor of an adapter
import torch
from torch import nn


class Adapted(nn.Module):
    def __init__(self, base, rank):
        super().__init__()
        self.base = base
        self.down = nn.Parameter(torch.randn(rank, base.in_features))
        self.up = torch.zeros(base.out_features, rank, requires_grad=True)  # check: no Parameter

    def forward(self, x):
        return self.base(x) + x @ self.down.t() @ self.up.t()


net = Adapted(nn.Linear(4, 2), rank=1)
names = [name for name, _ in net.named_parameters()]

# proof
assert "down" in names and "up" not in names
