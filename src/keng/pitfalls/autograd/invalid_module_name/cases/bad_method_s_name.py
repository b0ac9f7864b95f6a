# a method's name
from torch import nn

heads = nn.ModuleDict({"type": nn.Linear(2, 2)})  # run: `type`
