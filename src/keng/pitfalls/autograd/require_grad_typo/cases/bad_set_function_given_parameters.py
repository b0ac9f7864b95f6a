# set by a function that is given the parameters
import torch
from torch import nn


def switch(thing, on):
    thing.require_grad = on  # check: with an s


model = nn.Linear(4, 2)
switch(model.weight, False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(8, 4)).square().mean().backward()
optimizer.step()

# proof
assert model.weight.requires_grad
