# a layer that is to become several
from torch import nn

layers = nn.Linear(2, 2)
for _ in range(2):
    layers.append(nn.Linear(2, 2))  # run: nn.ModuleList([...])
