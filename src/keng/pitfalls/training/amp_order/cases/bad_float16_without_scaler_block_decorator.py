# float16 by itself, in a block and by a decorator
import torch
from torch import nn


def halved(function):
    def inner(*args):
        with torch.autocast("cpu", torch.float16):
            return function(*args)

    return inner


@halved
def compute(model, x):
    return (model(x) - 1).float().mean() * 1e-8


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(3, 8, 4):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        loss = (model(x) - 1).float().mean() * 1e-8
    loss.backward()  # check: small gradients become 0
    optimizer.step()
for x in torch.randn(3, 8, 4):
    optimizer.zero_grad()
    loss = compute(model, x)
    loss.backward()  # check: small gradients become 0
    optimizer.step()

# proof
assert not model.weight.grad.any()
