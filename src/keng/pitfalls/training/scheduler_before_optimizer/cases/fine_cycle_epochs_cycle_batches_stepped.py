# a cycle of epochs; a cycle of batches, stepped in a function; a plateau of the loss
import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR, ReduceLROnPlateau
from torch.utils.data import DataLoader


def train(model, loader, optimizer, scheduler=None):
    for batch in loader:
        loss = model(batch).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
    return loss.item()


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.ones(8, 4), batch_size=4)
by_epoch = OneCycleLR(optimizer, max_lr=1.0, total_steps=4)
for epoch in range(3):
    train(model, loader, optimizer)
    by_epoch.step()
by_batch = OneCycleLR(optimizer, max_lr=1.0, epochs=3, steps_per_epoch=len(loader))
for epoch in range(2):
    train(model, loader, optimizer, by_batch)
plateau = ReduceLROnPlateau(optimizer)
for epoch in range(3):
    loss = train(model, loader, optimizer)
    plateau.step(loss)
