"""Physics-informed net for Burgers' equation; everything in functions."""
import numpy as np
import torch
import torch.nn as nn
from scipy.stats import qmc

torch.manual_seed(1234)
np.random.seed(1234)
NU = 0.01 / np.pi


def mlp(sizes):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.Tanh()]
    return nn.Sequential(*layers[:-1])


def derivative(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residual(net, tx):
    tx = torch.tensor(tx, requires_grad=True)  # check: tensor-copied-by-constructor
    u = net(tx)
    du = derivative(u, tx)
    uxx = derivative(du[:, 1:], tx)[:, 1:]
    return du[:, :1] + u * du[:, 1:] - NU * uxx


def sample(n):
    return torch.from_numpy(qmc.LatinHypercube(2).random(n)).float() * torch.tensor([1.0, 2.0]) - torch.tensor([0.0, 1.0])


def entropy_weight(r):
    w = torch.exp(-r.abs())
    return -(w * torch.log(1 + w)).mean()  # check: small-numbers-rounded


def relative_error(pred, exact):
    return torch.norm(pred - exact) / torch.norm(exact)  # check: api-deprecated


def train(net, steps=10000):
    coeff = torch.rand(1, requires_grad=True).to("cuda")
    opt = torch.optim.Adam(list(net.parameters()) + [coeff], lr=1e-3)  # check: nonleaf-optimized
    interior = sample(10000).to("cuda")
    x0 = torch.linspace(-1, 1, 256).unsqueeze(1)
    start = torch.cat([torch.zeros_like(x0), x0], 1).to("cuda")
    u0 = -torch.sin(np.pi * x0).to("cuda")
    curve = []
    for step in range(steps):
        opt.zero_grad()
        f = residual(net, interior)
        loss = coeff * (f**2).mean() + ((net(start) - u0) ** 2).mean() + 1e-3 * entropy_weight(f)
        loss.backward(retain_graph=True)  # check: retain-graph-needless
        opt.step()
        curve += [loss]  # check: loss-keeps-graph
        if step % 1000 == 0:
            print(step, loss.item())
    return curve


if __name__ == "__main__":
    network = mlp([2, 40, 40, 40, 1]).to("cuda")
    train(network)
