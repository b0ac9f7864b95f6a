# a new encoder is called under no_grad and nowhere else
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(2, 4)
        self.head = nn.Linear(4, 1)

    def forward(self, x):
        with torch.no_grad():
            features = self.encoder(x)  # check: `self.encoder` gets no gradient
        return self.head(features)


torch.manual_seed(0)
net = Net()
before = next(net.parameters()).clone()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.ones(3, 4, 2):
    optimizer.zero_grad()
    net(x).mean().backward()
    optimizer.step()

# proof
assert torch.equal(next(net.parameters()), before)
