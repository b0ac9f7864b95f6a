# a schedule for the epochs; a run that stops early; a schedule that is stepped for several batches at once
import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, OneCycleLR

batches = torch.ones(8, 5, 2)


def fit(make, epochs, each=False):
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = make(optimizer)
    for epoch in range(epochs):
        for batch in batches:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            if each:
                scheduler.step()
        if not each:
            scheduler.step()


fit(lambda optimizer: CosineAnnealingLR(optimizer, T_max=4), 4)
fit(lambda optimizer: OneCycleLR(optimizer, 0.1, total_steps=5), 4)
fit(lambda optimizer: CosineAnnealingLR(optimizer, T_max=200), 4)
fit(lambda optimizer: OneCycleLR(optimizer, 0.1, epochs=20, steps_per_epoch=8), 2, each=True)
