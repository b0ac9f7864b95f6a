# a method that is assigned to
from torch import nn

model = nn.Linear(4, 2)
for p in model.parameters():
    p.requires_grad_ = False  # check: it is to be called

# proof
assert model.weight.requires_grad
