# a head that begins at zero
import torch
from torch import nn

model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
nn.init.zeros_(model[2].weight)
optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
for _ in range(10):
    x = torch.randn(12, 6)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), x.sum(1, keepdim=True)).backward()
    optimizer.step()
