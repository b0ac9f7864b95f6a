# created for the number of epochs
import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=3)
for epoch in range(3):
    for batch in DataLoader(torch.ones(20, 2), batch_size=5):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
    scheduler.step()
