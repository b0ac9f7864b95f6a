"""What is left of an accumulation at the end of an epoch, after WalkingMeatAxolotl/AnimaLoraStudio pull 305."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUM = 4

torch.manual_seed(2)
images = torch.rand(88, 3, 8, 8)
data = TensorDataset(images, images.mean((1, 2, 3)).mul(20).sub(9).round().clamp(0, 2).long())
loader = DataLoader(data, batch_size=8, shuffle=True)  # 11 batches
model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(288, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(6):
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x), y) / ACCUM
        loss.backward()
        if (i + 1) % ACCUM == 0:
            optimizer.step()  # run: accumulation-crosses-epochs
            optimizer.zero_grad()
    print(epoch, f"{loss.item():.4f}")
show(model)
