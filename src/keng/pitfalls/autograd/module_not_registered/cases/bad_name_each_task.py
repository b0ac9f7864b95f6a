# by name, for each task
import torch
from torch import nn


class Tasks(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.heads = {name: nn.Linear(8, size) for name, size in sizes.items()}  # check: a dict

    def forward(self, x):
        return {name: head(x) for name, head in self.heads.items()}


net = Tasks({"kind": 3, "age": 1})
count = len(list(net.parameters()))

# proof
assert count == 0
