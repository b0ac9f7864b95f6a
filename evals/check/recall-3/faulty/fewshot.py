"""Reptile and an inner loop by hand, on sine waves and Omniglot features."""
import copy
import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn, optim


class Task(NamedTuple):
    xs: Tensor
    ys: Tensor
    xq: Tensor
    yq: Tensor


def sine_task(shots: int = 10) -> Task:
    amp, phase = torch.rand(1) * 4.9 + 0.1, torch.rand(1) * math.pi
    x = torch.rand(2 * shots, 1) * 10 - 5
    y = amp * torch.sin(x + phase)
    return Task(x[:shots], y[:shots], x[shots:], y[shots:])


class Regressor(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.temperature = torch.ones(1, requires_grad=True).cuda()  # check: module-not-registered or nonleaf-optimized

    def forward(self, x):
        return self.net(x)


def inner(model: nn.Module, task: Task, steps: int, lr: float) -> nn.Module:
    fast = copy.deepcopy(model)
    opt = optim.SGD(fast.parameters(), lr=lr)
    for _ in range(steps):
        loss = F.mse_loss(fast(task.xs), task.ys)
        loss.backward()
        opt.step()  # check: zero-grad-missing
    return fast


def reptile(model: nn.Module, iterations=1000, meta_lr=0.1):
    log = []
    for it in range(iterations):
        task = sine_task()
        fast = inner(model, task, 5, 0.02)
        for slow_p, fast_p in zip(model.parameters(), fast.parameters()):
            slow_p.data += meta_lr * (fast_p.data - slow_p.data)
        query = F.mse_loss(fast(task.xq), task.yq)
        log.append(query)  # check: loss-keeps-graph
        if it % 100 == 0:
            print(it, sum(log[-100:]) / len(log[-100:]))


def learn_prototypes(features: Tensor, labels: Tensor, classes=20, steps=200):
    protos = torch.zeros(classes, features.size(1), requires_grad=True).to(features.device)
    optimizer = optim.Adam([protos], lr=1e-2)  # check: nonleaf-optimized
    for _ in range(steps):
        dist = torch.cdist(features, protos)
        loss = F.cross_entropy(F.softmax(-dist, dim=1), labels)  # check: softmax-before-cross-entropy
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return protos.detach()


if __name__ == "__main__":
    reptile(Regressor())
