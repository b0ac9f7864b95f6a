# the scheduler steps first, and the optimizer in a function that is called behind it
import torch
from torch import nn


def train_epoch(net, optimizer, batches):
    for x in batches:
        optimizer.zero_grad()
        net(x).square().mean().backward()
        optimizer.step()


def main():
    net, rates = nn.Linear(2, 1), []
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
    for epoch in range(2):
        scheduler.step()  # check: `scheduler` steps before the optimizer  # run: scheduler
        rates.append(optimizer.param_groups[0]["lr"])
        train_epoch(net, optimizer, torch.randn(2, 4, 2))
    return rates


rates = main()

# proof
assert rates[0] == 5e-4
