# printed; a weight of a term; a step on the inputs; other constants; a loss computed by another function
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)


def slopes(x):
    x = x.detach().requires_grad_()
    return torch.autograd.grad(net(x).sum(), x)[0]


def loss_of(x, y):
    return (net(x) - y).square().mean()


for step in range(3):
    x, y = torch.randn(8, 2), torch.randn(8, 1)
    steep = slopes(x).norm(dim=1).mean()
    weight = 1 / (1 + slopes(x).norm(dim=1, keepdim=True))
    worse = x + 0.1 * slopes(x).sign()
    floor = torch.tensor(0.01)
    loss = (weight * (net(x) - y).square()).mean() + loss_of(worse, y) + floor + 1e-8
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{steep:.3f}")
