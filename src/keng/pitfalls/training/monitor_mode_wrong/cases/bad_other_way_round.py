# the other way round
import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", patience=1)
for epoch in range(8):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    metrics = {"val_loss": 1 / (1 + epoch)}
    scheduler.step(metrics["val_loss"])  # check: a loss that should rise

# proof
assert optimizer.param_groups[0]["lr"] < 0.1
