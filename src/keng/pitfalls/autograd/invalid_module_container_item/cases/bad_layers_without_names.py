# layers without names
from torch import nn

heads = nn.ModuleDict([nn.Linear(2, 2)])  # run: pairs
