# the decorator is on forward itself
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)

    @torch.no_grad()  # check: `forward` of `Net` records no gradients
    def forward(self, x):
        return self.fc(x)


net, head = Net(), nn.Linear(1, 1)
before = net.fc.weight.clone()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.ones(3, 4, 2):
    optimizer.zero_grad()
    head(net(x)).mean().backward()
    optimizer.step()

# proof
assert torch.equal(net.fc.weight, before)
