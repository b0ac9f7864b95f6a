# trained, and one of its parts is a plain tensor
import torch
from torch import nn


class Chain(nn.Module):
    def __init__(self):
        super().__init__()
        self.emit = nn.Linear(8, 4)
        self.transitions = torch.zeros(4, 4, requires_grad=True)  # check: no Parameter

    def forward(self, x):
        scores = self.emit(x)
        return (scores[0] + scores[1:].logsumexp(0) @ self.transitions).logsumexp(0)


torch.manual_seed(0)
net = Chain()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    optimizer.zero_grad()
    net(torch.randn(16, 8)).backward()
    optimizer.step()
