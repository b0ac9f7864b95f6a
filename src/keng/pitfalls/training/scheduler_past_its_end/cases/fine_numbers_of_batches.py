# schedules that are told numbers of batches, or fall slowly
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
by_thousands = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1000, gamma=0.1)
slowly = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.999)
late = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[100, 30000])
by_epoch = torch.optim.lr_scheduler.StepLR(optimizer, step_size=5)
loader = DataLoader(TensorDataset(torch.ones(4, 2)))
for epoch in range(2):
    for (x,) in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
        by_thousands.step()
        slowly.step()
        late.step()
    by_epoch.step()
