# listed under a name of its own first
import torch
from torch import nn


class Experts(nn.Module):
    def __init__(self, count):
        super().__init__()
        experts = []
        for _ in range(count):
            experts.append(nn.Linear(8, 8))
        self.experts = experts  # check: still a list

    def forward(self, x):
        return torch.stack([expert(x) for expert in self.experts]).mean(0)


net = Experts(3)
count = len(list(net.parameters()))

# proof
assert count == 0
