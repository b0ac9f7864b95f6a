"""bfloat16 by autocast on the CPU, then float16 with a scaler that clips after it has unscaled."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 32), nn.LayerNorm(32), nn.GELU(), nn.Linear(32, 3))
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=24)
for step in range(12):
    x, y = torch.randn(16, 8), torch.randint(3, (16,))
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
scaler = torch.amp.GradScaler("cpu")
for step in range(12):
    x, y = torch.randn(16, 8), torch.randint(3, (16,))
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        output = net(x)
    loss = nn.functional.cross_entropy(output.float(), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    scheduler.step()
