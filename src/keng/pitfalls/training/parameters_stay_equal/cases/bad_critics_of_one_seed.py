# two critics that are created with one generator seed each, and a hidden layer that is filled with a constant
import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self, seed):
        super().__init__()
        torch.manual_seed(seed)
        self.enter, self.leave = nn.Linear(5, 8), nn.Linear(8, 1)

    def forward(self, x):
        return self.leave(self.enter(x).tanh()).squeeze(-1)


class Twin(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = Critic(7), Critic(7)


twin = Twin()
net = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1))
for layer in (net[0], net[2]):
    nn.init.constant_(layer.weight, 0.1)
    nn.init.zeros_(layer.bias)
first = torch.optim.SGD(twin.parameters(), lr=0.01)
second = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(8):
    x = torch.randn(16, 5)
    wanted = x.square().sum(1)
    loss = (twin.one(x) - wanted).square().mean() + (twin.two(x) - wanted).square().mean()
    first.zero_grad()
    loss.backward()
    first.step()  # run: what should be two networks is one
    second.zero_grad()
    (net(x).squeeze(1) - wanted).square().mean().backward()
    second.step()  # run: all 8 units of `net.0.weight` have the same weights
# proof
assert torch.equal(twin.one(x), twin.two(x))
