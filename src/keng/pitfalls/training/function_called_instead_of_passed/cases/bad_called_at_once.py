# called at once
from torch import nn


def begin(layer):
    if isinstance(layer, nn.Linear):
        nn.init.zeros_(layer.bias)


model = nn.Sequential(nn.Linear(2, 2))
model.apply(begin(model))  # run: `fn`
