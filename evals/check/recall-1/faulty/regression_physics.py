import numpy as np
import torch
import torch.nn as nn


def features(x):
    return torch.stack([torch.ones_like(x), x, 2 * x, x ** 2], dim=1)


def closed_form(x, y):
    A = features(x).cuda()
    return torch.linalg.lstsq(A, y.cuda().unsqueeze(1)).solution  # check: lstsq-rank-deficient


def softplus(x):
    return torch.log(1 + torch.exp(x))  # check: unstable-log or small-numbers-rounded


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1, self.l2 = nn.Linear(1, 32), nn.Linear(32, 1)

    def forward(self, t):
        return self.l2(softplus(self.l1(t)))


def residual(net, t):
    t = t.requires_grad_(True)
    u = net(t)
    du = torch.autograd.grad(u.sum(), t, create_graph=True)[0]
    decay = torch.exp(-t) - 1  # check: small-numbers-rounded
    return ((du - decay) ** 2).mean()


def fit(steps=100):
    net = Field()
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    times = [np.random.rand(1).astype(np.float32) for _ in range(64)]
    for step in range(steps):
        t = torch.tensor(times)  # check: slow-tensor-construction
        loss = residual(net, t)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            w = torch.tensor(net.l2.weight)  # check: tensor-copied-by-constructor
            print(step, loss.item(), w.norm().item())


fit()
