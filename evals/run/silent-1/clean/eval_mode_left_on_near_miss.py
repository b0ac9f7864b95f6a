"""After the first validation the model goes on in eval mode."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
model.train()
for epoch in range(3):
    if epoch == 2:
        optimizer = torch.optim.SGD(model[3].parameters(), lr=0.01)
        model[:3].requires_grad_(False)
    for step in range(10):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(torch.randn(16, 8)), torch.randint(3, (16,)))
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        model(torch.randn(64, 8)).argmax(1)
    if epoch == 0:
        model.train()
