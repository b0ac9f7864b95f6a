# a schedule that ends at zero; one that comes back; a warm-up that begins at zero
import torch
from torch import nn
from torch.optim import lr_scheduler

torch.manual_seed(0)
model = nn.Linear(4, 1)
for kind, settings in (
    (lr_scheduler.CosineAnnealingLR, {"T_max": 40}),
    (lr_scheduler.CosineAnnealingWarmRestarts, {"T_0": 10}),
    (lr_scheduler.LinearLR, {"start_factor": 1e-8, "total_iters": 10}),
):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = kind(optimizer, **settings)
    for step in range(40):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()
        scheduler.step()
