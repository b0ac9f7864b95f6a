# as wide as the layer before it
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.fc = nn.Linear(4, 4), nn.Linear(4, 10)

    def forward(self, x):
        return self.fc(self.body(x))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.fc = nn.Linear(net.fc.in_features, 2)  # check: only its size was read
net(torch.ones(8, 4)).square().mean().backward()
optimizer.step()  # run: `net.fc.weight` stays
