# a copy that learns from its own loss
import copy

import torch
from torch import nn

model = nn.Linear(4, 1)
learner = copy.deepcopy(model)
for step in range(3):
    learner.zero_grad()
    loss = learner(torch.randn(8, 4)).square().mean()
    loss.backward()
    with torch.no_grad():
        for p in learner.parameters():
            p -= 0.1 * p.grad
