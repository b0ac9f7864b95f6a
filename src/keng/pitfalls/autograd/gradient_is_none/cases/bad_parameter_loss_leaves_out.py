# a parameter that the loss leaves out
from torch import nn

heads = nn.ModuleList([nn.Linear(2, 1), nn.Linear(2, 1)])
heads[0].weight.sum().backward()
norms = [p.grad.norm() for p in heads.parameters()]  # run: `the loss does not reach it`
