# a cosine for epochs, in each batch
import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=3)
for epoch in range(3):
    for batch in DataLoader(torch.ones(40, 2), batch_size=5):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        scheduler.step()  # check: `CosineAnnealingLR` is made for `3` steps  # run: `created for 3 steps, as many as there were epochs, and took 24`
