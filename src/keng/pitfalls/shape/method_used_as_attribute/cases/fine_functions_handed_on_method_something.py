# functions that are passed on; a method of another class; an attribute of that name
import torch
from torch import nn


class Clock:
    step = 1


model, loss, clock = nn.Linear(2, 2), torch.tensor(1.0), Clock()
readers = [loss.item, loss.tolist]
switch = model.eval
switch()
clock.step
values = [read() for read in readers]
