# counted in batches, stepped each epoch
import torch
from torch import nn
from torch.utils.data import DataLoader

EPOCHS = 3
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.ones(40, 4), batch_size=4)
total_steps = len(loader) * EPOCHS
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=total_steps)
for epoch in range(EPOCHS):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
    scheduler.step()  # check: 3 steps of 30

# proof
assert optimizer.param_groups[0]["lr"] > 0.09
