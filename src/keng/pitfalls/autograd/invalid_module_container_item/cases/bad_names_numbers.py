# names that are numbers
from torch import nn

heads = nn.ModuleDict({1: nn.Linear(2, 2)})  # run: `str(...)`
