# a cosine made for the steps of the optimizer is stepped for each batch of an accumulation
import torch
from torch import nn

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=12)
rates = []
for number, batch in enumerate(torch.ones(48, 5, 2), 1):
    (model(batch).mean() / 4).backward()
    if number % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
    if number > 3:
        scheduler.step()  # run: only after `optimizer.step()`
        rates.append(optimizer.param_groups[0]["lr"])
# proof
assert sum(rate < 1e-8 for rate in rates) == 2
