# a schedule that restarts; a run that is stopped early; a schedule of epochs
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
restarts = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 12)
long = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 100)
of_epochs = torch.optim.lr_scheduler.PolynomialLR(optimizer, 8)
for epoch in range(8):
    for batch in range(1, 7):
        (model(torch.randn(8, 4)).square().mean() / 2).backward()
        if batch % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()
            restarts.step()
            long.step()
    of_epochs.step()
