# cleared by a function that keng cannot see; two half steps per clearing; gradients kept elsewhere
from operator import methodcaller

import torch
import torch.distributed as dist
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
forget = methodcaller("zero_grad")
for step in range(4):
    forget(optimizer)
    model(torch.randn(16, 8)).square().mean().backward()
    optimizer.step()
for step in range(4):
    optimizer.zero_grad()
    for half in range(2):
        model(torch.randn(16, 8)).square().mean().backward()
        optimizer.step()


def train_across_machines(remote_optimizer, batches):
    for x in batches:
        with dist.autograd.context() as context:
            loss = model(x).square().mean()
            dist.autograd.backward(context, [loss])
            remote_optimizer.step(context)


if dist.is_available() and dist.is_initialized():
    train_across_machines(dist.optim.DistributedOptimizer(), [torch.randn(16, 8)])
