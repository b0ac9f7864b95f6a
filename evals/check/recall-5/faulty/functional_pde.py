"""Burgers' equation with torch.func: one network, losses of its derivatives, a bit of ensembling."""
import time

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn as nn
from torch.func import functional_call, jacrev, stack_module_state, vmap

torch.manual_seed(1234)
device = torch.device("cuda")


class Net(nn.Module):
    def __init__(self, width=50, depth=4):
        super().__init__()
        layers = [nn.Linear(2, width), nn.Tanh()]
        for _ in range(depth - 1):
            layers += [nn.Linear(width, width), nn.Tanh()]
        self.net = nn.Sequential(*layers, nn.Linear(width, 1))
        self.frequencies = nn.Parameter(torch.ones(2)).to(device)  # check: nonleaf-optimized or module-not-registered

    def forward(self, xt):
        return self.net(xt * self.frequencies)


net = Net().to(device)
nu = torch.tensor(0.01 / np.pi, requires_grad=True).to(device)  # check: nonleaf-optimized
optimizer = torch.optim.Adam([{"params": net.parameters()}, {"params": [nu], "lr": 1e-4}], lr=1e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1000, 0.5)


def residual(params, xt):
    def u(point):
        return functional_call(net, params, (point,)).squeeze()

    def du(point):
        return jacrev(u)(point)

    first = vmap(du)(xt)
    second = vmap(jacrev(du))(xt)
    value = vmap(u)(xt)
    return first[:, 1] + value * first[:, 0] - nu * second[:, 0, 0]


def gradient_by_hand(xt):
    u = net(xt)
    u_x = torch.autograd.grad(u.sum(), xt)[0]  # check: penalty-without-graph
    return (u_x**2).mean()


boundary = torch.Tensor(np.load("boundary.npy")).to(device)
observed = torch.tensor(np.load("observed.npy"), dtype=torch.float32, device=device)
history = []
start = time.time()
for step in range(20000):
    xt = torch.rand(4096, 2, device=device, requires_grad=True)
    params = dict(net.named_parameters())
    data_loss = (net(boundary) - observed).pow(2).mean()
    physics_loss = residual(params, xt).pow(2).mean()
    loss = data_loss + physics_loss + 1e-4 * gradient_by_hand(xt)
    loss.backward(retain_graph=True)  # check: retain-graph-needless; zero-grad-missing
    optimizer.step()
    scheduler.step()
    history.append(loss.detach())
    if torch.isnan(loss) or loss == float("nan"):  # check: nan-compared
        break
print("seconds per step", (time.time() - start) / 20000)

plt.plot([h.item() for h in history])
grid = torch.cartesian_prod(torch.linspace(-1, 1, 200), torch.linspace(0, 1, 100))
grid.to(device)  # check: tensor-move-discarded
surface = net(grid.to(device)).detach().cpu().numpy()
plt.imshow(surface.reshape(200, 100))
np.save("surface.npy", surface)

members = [Net().to(device) for _ in range(8)]
stacked, buffers = stack_module_state(members)
spread = vmap(lambda p, b, x: functional_call(members[0], (p, b), (x,)), (0, 0, None))(stacked, buffers, boundary)
for member in range(8):
    t0 = time.time()
    members[member](boundary)
    print(member, time.time() - t0)  # check: timing-without-sync
print(spread.std(0).mean().item())
