# a decay of 1
import copy

import torch
from torch import nn

torch.manual_seed(0)
student = nn.Linear(4, 4)
teacher = copy.deepcopy(student).requires_grad_(False)
before = teacher.weight.clone()
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
momentum = 1
for step in range(40):
    x = torch.randn(16, 4)
    loss = (student(x + 0.1 * torch.randn(16, 4)) - teacher(x)).square().mean()
    optimizer.zero_grad()
    (loss + student.weight.square().mean()).backward()
    optimizer.step()  # run: `teacher` has not moved
    with torch.no_grad():
        for slow, fast in zip(teacher.parameters(), student.parameters()):
            slow.mul_(momentum).add_(fast, alpha=1 - momentum)
