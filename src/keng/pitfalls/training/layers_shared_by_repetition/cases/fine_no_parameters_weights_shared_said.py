# layers without parameters; sharing that the name declares; a list that is not registered; repeated once; repeated sizes
import torch
from torch import nn


class SharedEncoder(nn.Module):
    def __init__(self, width, depth, share=False):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width)] * depth)


width, depth, tie_layers = 8, 3, True
acts = nn.Sequential(*[nn.ReLU(), nn.Dropout(0.1)] * depth)
# all steps use the same weights
steps = nn.ModuleList([nn.Linear(width, width)] * depth)
if tie_layers:
    heads = nn.ModuleList([nn.Linear(width, 2)] * depth)
else:
    heads = nn.ModuleList([nn.Linear(width, 2) for _ in range(depth)])
one = nn.Sequential(*[nn.Linear(width, width)] * 1)
several = nn.ModuleList([nn.Linear(n, n) for n in [width] * depth])
layer = nn.Linear(width, width)
for each in [layer] * depth:
    x = each(torch.ones(1, width))
