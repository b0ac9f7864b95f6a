# by its name
from torch import nn

model = nn.Sequential(nn.Linear(3, 2))
weight = model.get_parameter("1.weight")  # run: `named_modules()`
