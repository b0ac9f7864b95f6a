# a schedule that ends at zero; one that rises again; a warm-up that begins at zero
import torch
from torch import nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader

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
for batches in (DataLoader(torch.randn(240, 4), batch_size=8), torch.randn(30, 8, 4)):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=3)
    for epoch in range(4):  # the last epoch alone has the rate 0
        for batch in batches:
            optimizer.zero_grad()
            model(batch).square().mean().backward()
            optimizer.step()
        scheduler.step()
