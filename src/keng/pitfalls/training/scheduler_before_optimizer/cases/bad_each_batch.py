# in each batch
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
rates = []
for batch in range(3):
    optimizer.zero_grad()
    model(torch.ones(2, 4)).mean().backward()
    scheduler.step()  # check: the rate 0.1 is never used
    rates.append(optimizer.param_groups[0]["lr"])
    optimizer.step()

# proof
assert rates[0] < 0.09
