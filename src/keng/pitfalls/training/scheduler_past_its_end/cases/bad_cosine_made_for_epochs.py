# the cosine is made for the epochs and takes a step for each batch
import torch
from torch import nn

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
epochs, rates = 3, []
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
for epoch in range(epochs):
    for batch in torch.ones(4, 5, 2):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        scheduler.step()  # check: `CosineAnnealingLR` is made for `epochs` steps
        rates.append(optimizer.param_groups[0]["lr"])

# proof
assert rates[2] < 1e-6 < rates[4]
