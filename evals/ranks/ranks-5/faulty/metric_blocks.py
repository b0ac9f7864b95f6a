"""Errors are kept by element; each rank reduces the elements that its structures have."""

from collections import defaultdict

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

ELEMENTS = ["H", "C", "N", "O", "S"]


class Accumulator:
    def __init__(self):
        self.sums = defaultdict(lambda: torch.zeros(2))

    def update(self, predictions, targets, elements):
        for element in elements.unique().tolist():
            at = elements == element
            error = (predictions - targets)[at].square().sum().detach()
            self.sums[ELEMENTS[element]] += torch.stack([error, at.sum().float()])

    def finalize(self):
        result = {}
        for name in sorted(self.sums):  # run: collectives-differ or collective-on-one-rank
            dist.all_reduce(self.sums[name])  # run: collectives-differ or collective-on-one-rank
            error, count = self.sums[name]
            result[name] = (error / count).sqrt().item()
        return result


def batch(step, rank):
    g = torch.Generator().manual_seed(100 * step + rank)
    elements = torch.randint(0, 4, (24,), generator=g)
    if rank == 1 and step % 10 == 3:
        elements[0] = 4  # the rare one
    x = torch.randn(24, 5, generator=g) + nn.functional.one_hot(elements, 5)
    return x, elements


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(5, 32), nn.SiLU(), nn.Linear(32, 1)))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(4):
        metrics = Accumulator()
        for step in range(10 * epoch, 10 * epoch + 10):
            x, elements = batch(step, rank)
            target = elements.float() - 2
            prediction = model(x).squeeze(1)
            optimizer.zero_grad()
            (prediction - target).square().mean().backward()  # run: collectives-differ or collective-on-one-rank
            optimizer.step()
            metrics.update(prediction, target, elements)
        result = metrics.finalize()  # run: collectives-differ or collective-on-one-rank
        if rank == 0:
            print(epoch, {k: round(v, 3) for k, v in result.items()}, flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
