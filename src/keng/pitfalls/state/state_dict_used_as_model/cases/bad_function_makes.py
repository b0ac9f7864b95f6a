# the function that makes it
from torch import nn


def small():
    return nn.Linear(2, 2)


model = small
weights = model.state_dict()  # run: parentheses
