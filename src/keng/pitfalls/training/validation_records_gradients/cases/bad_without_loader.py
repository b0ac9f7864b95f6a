# without a loader
from torch import nn, optim, randn, randperm

x, y = randn(64, 8), randn(64, 1)
train, val = randperm(64).split(32)
net = nn.Linear(8, 1)
optimizer = optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    net.train()
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x[train]), y[train]).backward()
    optimizer.step()
    net.eval()
    total = 0.0
    for part in val.split(8):
        total += (net(x[part]) - y[part]).abs().sum().item()  # run: four graphs an epoch
