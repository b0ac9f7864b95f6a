# a curve of rates is drawn, and the optimizer that trains has a scheduler of its own
import torch
from torch import nn
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader

idle = torch.optim.SGD(nn.Linear(2, 1).parameters(), lr=0.1)
shown = StepLR(idle, step_size=2)
print(shown.get_last_lr())

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = StepLR(optimizer, step_size=2)
for epoch in range(6):
    for batch in DataLoader(torch.ones(20, 2), batch_size=5):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
    getattr(scheduler, "step")()
