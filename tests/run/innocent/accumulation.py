"""Gradient accumulation with a mixed-precision scaler, clipping, a scheduler, and a running loss."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=24)
scaler = torch.amp.GradScaler("cpu", enabled=False)
loader = torch.utils.data.DataLoader(
    torch.utils.data.TensorDataset(torch.randn(256, 8), torch.randn(256, 1)), batch_size=8
)
accumulate = 4
running = torch.zeros(())
for epoch in range(3):
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.mse_loss(model(x).float(), y) / accumulate
        scaler.scale(loss).backward()
        running += loss.detach()
        if (i + 1) % accumulate == 0:
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            scheduler.step()
            optimizer.zero_grad()
