# a part of the model
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
model[:2].requires_grad_(False)
optimizer = torch.optim.SGD(model[2].parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 4) + 3).square().mean()  # run: the running statistics of `1`
    loss.backward()
    optimizer.step()
