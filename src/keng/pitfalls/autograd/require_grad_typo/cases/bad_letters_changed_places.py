# letters that changed places
from torch import nn

model = nn.Linear(4, 2)
model.weight.requires_gard = False  # check: no such thing

# proof
assert model.weight.requires_grad
