# all but PyTorch
import random

import numpy as np
import torch
from torch import nn


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)  # check: the weights below are others in each run


def trained():
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(5):
        optimizer.zero_grad()
        model(torch.ones(2, 4)).square().mean().backward()
        optimizer.step()
    return model.weight.detach()


set_seed(0)
weights = trained()

# proof
set_seed(0)
assert not torch.equal(trained(), weights)
