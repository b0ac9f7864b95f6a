# a learning rate so high that each step replaces the weights
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=8.0)  # run: `learning rate 8`
x, y = torch.randn(64, 8), torch.randn(64, 1)
for step in range(4):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
# proof
assert loss.item() > 1e6
