# a first step before the loop, and one under a condition
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.1)
model(torch.ones(2, 4)).mean().backward()
optimizer.step()
for batch in range(3):
    scheduler.step()
    optimizer.zero_grad()
    model(torch.ones(2, 4)).mean().backward()
    optimizer.step()


def train(steps):
    for batch in range(steps):
        if batch > 0:
            scheduler.step()
        optimizer.zero_grad()
        model(torch.ones(2, 4)).mean().backward()
        optimizer.step()


train(3)
