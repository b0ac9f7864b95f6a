# without a loader
import torch
from torch import nn

x, y = torch.randn(64, 8), torch.randn(64, 1)
net = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.5), nn.Linear(16, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x[:48]), y[:48]).backward()
    optimizer.step()
    with torch.no_grad():
        loss = nn.functional.mse_loss(net(x[48:].clone()), y[48:])  # run: dropout is on
