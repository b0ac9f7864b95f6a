# in a model
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        y = self.fc(x)
        mask = (x > 0).byte()
        return y[mask].sum() - y[~mask].sum()  # check: `255`


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).square().backward()
    optimizer.step()
