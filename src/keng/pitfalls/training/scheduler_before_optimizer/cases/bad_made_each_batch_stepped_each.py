# made for each batch, stepped each epoch
import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.ones(40, 4), batch_size=4)
scheduler = torch.optim.lr_scheduler.OneCycleLR(
    optimizer, max_lr=1.0, epochs=3, steps_per_epoch=len(loader)
)
rates = []
for epoch in range(3):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        rates.append(optimizer.param_groups[0]["lr"])
    scheduler.step()  # check: 3 steps of a cycle of 30

# proof
assert max(rates) < 0.2
