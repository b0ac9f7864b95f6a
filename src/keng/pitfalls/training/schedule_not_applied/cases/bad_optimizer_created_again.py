# the optimizer is created again after layers are unfrozen
import torch
from torch import nn

torch.manual_seed(0)
body, head = nn.Linear(4, 8), nn.Linear(8, 1)
body.requires_grad_(False)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
for epoch in range(8):
    if epoch == 2:
        body.requires_grad_(True)
        optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
    for x in torch.randn(16, 4).split(8):
        optimizer.zero_grad()
        head(body(x)).square().mean().backward()
        optimizer.step()
    scheduler.step()  # run: an optimizer that no longer steps
# proof
assert optimizer.param_groups[0]["lr"] == 0.1
