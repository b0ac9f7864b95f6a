"""ANIL: the head is adapted in the inner loop, the body only by the outer one; gradients through both."""
from __future__ import annotations

import contextlib
from typing import Iterable

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Learner(nn.Module):
    def __init__(self, ways: int, width: int = 32):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, width, 3, 2, 1), nn.ReLU(), nn.Conv2d(width, width, 3, 2, 1), nn.Flatten())
        self.weight = nn.Parameter(torch.zeros(ways, width * 49))
        self.bias = nn.Parameter(torch.zeros(ways))
        self.log_lr = nn.Parameter(torch.tensor(-3.0))

    def adapt(self, x: Tensor, y: Tensor, steps: int, create_graph: bool) -> tuple[Tensor, Tensor]:
        features = self.body(x)
        head = (self.weight, self.bias)
        for _ in range(steps):
            loss = F.cross_entropy(F.linear(features, *head), y)
            grads = torch.autograd.grad(loss, head, create_graph=create_graph, retain_graph=True)
            head = tuple(p - self.log_lr.exp() * g for p, g in zip(head, grads))
        return head

    def forward(self, x: Tensor, head: tuple[Tensor, Tensor]) -> Tensor:
        return F.linear(self.body(x), *head)


@contextlib.contextmanager
def frozen(module: nn.Module):
    flags = [p.requires_grad for p in module.parameters()]
    module.requires_grad_(False)
    try:
        yield
    finally:
        for p, flag in zip(module.parameters(), flags):
            p.requires_grad_(flag)


def episode(ways=5, shots=1):
    y = torch.arange(ways).repeat_interleave(shots)
    return torch.rand(ways * shots, 1, 28, 28), y, torch.rand(ways * 5, 1, 28, 28), torch.arange(ways).repeat_interleave(5)


def meta_step(learner: Learner, optimizer, tasks: Iterable, inner=3) -> float:
    tasks = list(tasks)
    total = 0.0
    optimizer.zero_grad()
    for xs, ys, xq, yq in tasks:
        head = learner.adapt(xs, ys, inner, create_graph=True)
        loss = F.cross_entropy(learner(xq, head), yq) / len(tasks)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total


def test(learner: Learner, tasks, inner=10) -> float:
    # the inner loop needs gradients of the head, so no_grad stands around the query only
    learner.eval()
    scores = []
    with frozen(learner.body):
        for xs, ys, xq, yq in tasks:
            head = learner.adapt(xs, ys, inner, create_graph=False)
            with torch.no_grad():
                scores.append((learner(xq, head).argmax(-1) == yq).float().mean())
    learner.train()
    return torch.stack(scores).mean().item()


def main():
    torch.manual_seed(7)
    learner = Learner(5)
    optimizer = torch.optim.Adam(learner.parameters(), 1e-3)
    for it in range(3):
        print(it, meta_step(learner, optimizer, (episode() for _ in range(4))), test(learner, [episode()]))


if __name__ == "__main__":
    main()
