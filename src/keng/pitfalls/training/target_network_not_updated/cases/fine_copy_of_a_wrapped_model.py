# the teacher is a deep copy of what an unknown function made of the model
import copy
import functools

import torch
from torch import nn

wrap = functools.partial(lambda m: m)
model = wrap(nn.Linear(3, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
teacher = copy.deepcopy(model)
for step in range(3):
    optimizer.zero_grad()
    x = torch.rand(4, 3)
    loss = (model(x) - teacher(x).detach()).pow(2).mean() + model(x).mean()
    loss.backward()
    optimizer.step()
    for slow, fast in zip(teacher.parameters(), model.parameters()):
        slow.data.copy_(0.1 * fast.data + 0.9 * slow.data)
