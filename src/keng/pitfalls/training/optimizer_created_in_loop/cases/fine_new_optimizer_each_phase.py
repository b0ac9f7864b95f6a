# one optimizer for each task of a few; weights that are put back; an optimizer without a state; two of one model
import copy

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)


def step(optimizer, x):
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()


for task in range(12):
    phase = torch.optim.Adam(model.parameters(), lr=0.01)
    step(phase, torch.randn(8, 4))
    step(phase, torch.randn(8, 4))
for task in range(12):
    meta = copy.deepcopy(model.state_dict())
    inner = torch.optim.Adam(model.parameters(), lr=0.01)
    step(inner, torch.randn(8, 4))
    model.load_state_dict(meta)
for task in range(12):
    plain = torch.optim.SGD(model.parameters(), lr=0.01)
    step(plain, torch.randn(8, 4))
