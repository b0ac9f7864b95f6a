# an average of the program's own, over parameters only
import copy

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
average = copy.deepcopy(model).eval().requires_grad_(False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = 3 + torch.randn(64, 4)
for epoch in range(3):
    for part in x.split(16):
        optimizer.zero_grad()
        model(part).square().mean().backward()
        optimizer.step()
        with torch.no_grad():
            for ours, theirs in zip(average.parameters(), model.parameters()):
                ours.lerp_(theirs, 0.1)
    with torch.no_grad():
        average(x)  # run: averaging `parameters()` leaves out the buffers
# proof
assert not average[1].running_mean.any()
assert model[1].running_mean.abs().max() > 0.1
