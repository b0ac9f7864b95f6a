# the first layer
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
first = model.children()[0]  # run: `children()`
