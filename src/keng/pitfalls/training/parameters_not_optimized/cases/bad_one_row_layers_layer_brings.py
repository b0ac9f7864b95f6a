# one of a row of layers, and a layer that brings parameters of its own
import torch
from torch import nn


class Adapted(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base
        self.a = nn.Parameter(torch.randn(2, 4))
        self.b = nn.Parameter(torch.randn(3, 2))

    def forward(self, x):
        return self.base(x) + x @ self.a.T @ self.b.T


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4))
        self.out = nn.Linear(4, 3)

    def forward(self, x):
        return self.out(self.body(x))


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.body[2] = nn.Linear(4, 4)  # check: made after the optimizer
model.out = Adapted(model.out)  # check: its `a` and `b` are new
before = [model.body[2].weight.clone(), model.out.a.clone()]
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()  # run: `no optimizer holds`

# proof
assert torch.equal(before[0], model.body[2].weight) and torch.equal(before[1], model.out.a)
