# a closure that returns nothing
import torch
from torch import nn

model, x = nn.Linear(3, 1), torch.ones(4, 3)
optimizer = torch.optim.LBFGS(model.parameters())


def closure():
    optimizer.zero_grad()
    model(x).square().mean().backward()


optimizer.step(closure)  # run: `return loss`
