"""The statistics of a frozen backbone go on moving."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU())
backbone.requires_grad_(False)
head = nn.Linear(16, 3)
model = nn.Sequential(backbone, head)
learned = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.Adam(learned, lr=1e-3)
for epoch in range(2):
    model.train()
    backbone.eval()
    for step in range(15):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(torch.randn(16, 8)), torch.randint(3, (16,)))
        loss.backward()
        optimizer.step()
