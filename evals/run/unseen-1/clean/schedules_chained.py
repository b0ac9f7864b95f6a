"""Warm-up and cosine per batch in one sequence, and a plateau scheduler per epoch on another part."""

import torch
from digest import show
from sklearn.datasets import load_diabetes
from torch import nn
from torch.optim import lr_scheduler as schedules

torch.manual_seed(0)
data = load_diabetes()
x, y = torch.tensor(data.data).float() * 20, (torch.tensor(data.target).float() - 152) / 77
body, head = nn.Sequential(nn.Linear(10, 32), nn.ReLU()), nn.Linear(32, 1)
opt_body = torch.optim.SGD(body.parameters(), lr=0.05)
opt_head = torch.optim.Adagrad(head.parameters(), lr=0.05)
warm = schedules.LinearLR(opt_body, 0.01, total_iters=10)
cosine = schedules.CosineAnnealingLR(opt_body, T_max=60, eta_min=1e-6)
per_batch = schedules.SequentialLR(opt_body, [warm, cosine], milestones=[10])
per_epoch = schedules.ReduceLROnPlateau(opt_head, patience=1, factor=0.5)
for epoch in range(10):
    for part in torch.randperm(400).split(64):
        loss = nn.functional.mse_loss(head(body(x[part]))[:, 0], y[part])
        opt_body.zero_grad()
        opt_head.zero_grad()
        loss.backward()
        opt_body.step()
        opt_head.step()
        per_batch.step()
    with torch.no_grad():
        held = nn.functional.mse_loss(head(body(x[400:]))[:, 0], y[400:])
    per_epoch.step(held)
print(held.item())
show(body, head)
