"""Autocast to bfloat16 with a scaler that is switched off, and gradients of two batches a step."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
digits = load_digits()
rows = TensorDataset(torch.tensor(digits.images).float()[:, None] / 16, torch.tensor(digits.target))
loader = DataLoader(rows, batch_size=32, shuffle=True, drop_last=True)
model = nn.Sequential(
    nn.Conv2d(1, 8, 3, padding=1), nn.GroupNorm(2, 8), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(256, 10),
)  # fmt: skip
scaler = torch.amp.GradScaler("cpu", enabled=False)
optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9, weight_decay=1e-4)
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=2 * (len(loader) // 2))
for epoch in range(2):
    model.train()
    optimizer.zero_grad()
    for turn, (x, y) in enumerate(loader, 1):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(model(x), y) / 2
        scaler.scale(loss).backward()
        if turn % 2 == 0:
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            schedule.step()
    model.eval()
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        right = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    print(f"{right / (len(loader) * 32):.3f}")
show(model)
