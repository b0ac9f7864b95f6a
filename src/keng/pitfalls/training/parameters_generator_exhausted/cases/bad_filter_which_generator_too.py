# a filter, which is a generator too
import torch
from torch import nn

net = nn.Linear(2, 2)
learning = filter(lambda p: p.requires_grad, net.parameters())
print(sum(p.numel() for p in learning))
for p in learning:  # check: gone through on line 6
    nn.init.zeros_(p)

# proof
assert net.weight.abs().sum() > 0
