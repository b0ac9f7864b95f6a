# turned, and given a dimension; views are no Parameters either
import torch
from torch import nn


class Factors(nn.Module):
    def __init__(self, fields, k):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(1))
        self.factors = nn.Parameter(0.1 * torch.randn(k, fields)).t()  # check: a view
        self.scale = nn.Parameter(torch.ones(k)).unsqueeze(0)  # check: as well

    def forward(self, x):
        return self.bias + (x @ self.factors * self.scale).pow(2).sum(-1)


net = Factors(8, 3)
names = [name for name, _ in net.named_parameters()]

# proof
assert names == ["bias"]
