# argument: epoch
import torch

optimizer = torch.optim.SGD(torch.nn.Linear(1, 1).parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=5)
for epoch in range(-1, 3):
    optimizer.step()
    schedule.step(epoch)
