# several layers in a row, built by a function
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 10)

    def forward(self, x):
        return self.head(self.body(x))


def build_head(classes):
    return nn.Sequential(nn.Dropout(0.0), nn.Linear(4, classes))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.head = build_head(2)  # check: the optimizer has the old head
before = net.head[1].weight.clone()
net(torch.ones(8, 4)).square().mean().backward()
optimizer.step()  # run: `net.head.1.weight` stays

# proof
assert torch.equal(before, net.head[1].weight)
