import torch
from torch import nn

backbone = nn.Sequential(nn.Linear(10, 32), nn.ReLU())
head = nn.Linear(32, 2)

groups = [
    {"params": backbone.parameters(), "lr": 1e-4},
    {"param": head.parameters(), "lr": 1e-3},
]
optimizer = torch.optim.SGD(groups, lr=1e-3, momentum=0.9)
loss = head(backbone(torch.randn(8, 10))).square().mean()
loss.backward()
optimizer.step()
