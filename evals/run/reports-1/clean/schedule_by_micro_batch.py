"""Accumulated gradients and a cosine schedule, after starVLA/starVLA pull request 210."""

import torch
from digest import show
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(960, 12)
y = (x @ torch.randn(12, 3)).argmax(1)
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
EPOCHS, ACCUMULATE = 4, 4
updates = EPOCHS * len(loader) // ACCUMULATE
model = nn.Sequential(nn.Linear(12, 48), nn.ReLU(), nn.Linear(48, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
scheduler = CosineAnnealingLR(optimizer, T_max=updates)
for epoch in range(EPOCHS):
    for i, (features, labels) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(features), labels) / ACCUMULATE
        loss.backward()
        if (i + 1) % ACCUMULATE == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            scheduler.step()
    print(epoch, f"{loss.item() * ACCUMULATE:.4f} {scheduler.get_last_lr()[0]:.2e}")
show(model)
