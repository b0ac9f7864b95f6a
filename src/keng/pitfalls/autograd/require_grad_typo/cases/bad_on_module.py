# on a module
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
model[0].requires_grad = False  # check: its parameters are not asked

# proof
assert model[0].weight.requires_grad
