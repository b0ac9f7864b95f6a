# a teacher, in a class of its own
import copy

import torch
from torch import nn


class MeanTeacher:
    def __init__(self, student, decay=0.9):
        self.student, self.decay = student, decay
        self.teacher = copy.deepcopy(student).requires_grad_(False)

    @torch.no_grad()
    def update(self):
        for old, new in zip(self.teacher.parameters(), self.student.parameters()):
            old = self.decay * old + (1 - self.decay) * new  # check: a name, and no memory


torch.manual_seed(0)
mean = MeanTeacher(nn.Linear(4, 4))
before = mean.teacher.weight.clone()
optimizer = torch.optim.SGD(mean.student.parameters(), lr=0.1)
for step in range(40):
    x, y = torch.randn(16, 4), torch.randn(16, 4)
    with torch.no_grad():
        goal = mean.teacher(x)
    out = mean.student(x)
    optimizer.zero_grad()
    ((out - y).square().mean() + (out - goal).square().mean()).backward()
    optimizer.step()
    mean.update()

# proof
assert torch.equal(mean.teacher.weight, before)
