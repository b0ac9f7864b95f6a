# evaluated after each epoch; then its normalization becomes one that acts alike in both modes, and it is tuned
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.head = nn.BatchNorm1d(4), nn.Linear(4, 1)

    def forward(self, x):
        return self.head(self.norm(x))


def fit(net, batches):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for epoch in range(2):
        net.train()
        for x in batches:
            optimizer.zero_grad()
            net(x).square().mean().backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            print(net(batches[0]).mean().item())
    return net


batches = torch.randn(3, 8, 4)
net = fit(Net(), batches)
net.norm = nn.LayerNorm(4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.001)
for x in batches:
    optimizer.zero_grad()
    net(x).square().mean().backward()
    optimizer.step()
