# an inner optimizer of a copy, which has the name of the model in its function
import copy

import torch
from torch import nn
from torch.nn import functional as F


def adapt(model, x, y):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    optimizer.step()


model = nn.Linear(3, 2)
meta_optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(3):
    x, y = torch.rand(4, 3), torch.randint(2, (4,))
    adapted = copy.deepcopy(model)
    adapt(adapted, x, y)
    meta_optimizer.zero_grad()
    gradients = torch.autograd.grad(F.cross_entropy(adapted(x), y), list(adapted.parameters()))
    for parameter, gradient in zip(model.parameters(), gradients):
        parameter.grad = gradient.detach().clone()
    meta_optimizer.step()
