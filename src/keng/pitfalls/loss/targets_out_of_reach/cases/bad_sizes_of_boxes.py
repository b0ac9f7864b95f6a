# a detector whose loss takes the sigmoid of the place and of the logarithm of the size, where an object is
import torch
from torch import nn

torch.manual_seed(0)
images = torch.randn(256, 1, 8, 8)
there = torch.rand(256) < 0.5
targets = torch.cat([torch.rand(256, 2), torch.randn(256, 2)], 1)
model = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 5))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(4):
    for rows in torch.randperm(256).split(32):
        raw, target, kept = model(images[rows]), targets[rows], there[rows]
        place, size = raw[:, :4].sigmoid().split(2, -1)
        loss = nn.functional.mse_loss(place[kept], target[kept][:, :2])
        loss = loss + nn.functional.mse_loss(size[kept], target[kept][:, 2:])  # run: are outside of
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
