# the program's average includes buffers; a teacher that runs in training mode; a frozen copy
import copy

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
average, teacher, first = (copy.deepcopy(model).requires_grad_(False) for _ in range(3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = 3 + torch.randn(64, 4)
for epoch in range(3):
    teacher.train()
    for part in x.split(16):
        optimizer.zero_grad()
        wanted = teacher(part)
        (model(part) - wanted).square().mean().backward()
        optimizer.step()
        with torch.no_grad():
            for ours, theirs in zip(average.parameters(), model.parameters()):
                ours.lerp_(theirs, 0.1)
            for ours, theirs in zip(average.buffers(), model.buffers()):
                ours.copy_(theirs)
            for ours, theirs in zip(teacher.parameters(), model.parameters()):
                ours.lerp_(theirs, 0.1)
    with torch.no_grad():
        for each in (average, teacher, first):
            each.eval()(x)
