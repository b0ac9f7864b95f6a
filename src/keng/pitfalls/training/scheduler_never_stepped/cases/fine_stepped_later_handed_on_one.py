# stepped later, passed to another function, or waiting for its turn
import torch
from torch import nn
from torch.optim.lr_scheduler import LinearLR, SequentialLR, StepLR
from torch.utils.data import DataLoader


def made(optimizer):
    plan = StepLR(optimizer, step_size=1)
    return {"plan": plan, "every": 10}


def training(plan):
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    late = plan(optimizer)
    first, then = LinearLR(optimizer), StepLR(optimizer, step_size=2)
    both = SequentialLR(optimizer, [first, then], milestones=[20])
    for epoch in range(6):
        for batch in DataLoader(torch.ones(20, 2), batch_size=5):
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        if epoch > 20:
            late["plan"].step()
            both.step()


training(made)
