"""A mixture of four sources; sources with a high mean loss get a higher weight in the next period."""

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

SOURCES = {"web": 0.2, "code": 1.0, "books": 0.5, "forum": 2.0}  # noise of each


class Mixture:
    """Yields batches of one source each, in turn; every worker begins elsewhere in the list."""

    def __init__(self, rank, steps, batch=32, dim=12):
        self.rank, self.steps, self.batch, self.dim = rank, steps, batch, dim
        self.names = list(SOURCES)
        self.w = torch.linspace(-1, 1, dim).unsqueeze(1)

    def __iter__(self):
        g = torch.Generator().manual_seed(500 + self.rank)
        for step in range(self.steps):
            name = self.names[(step + self.rank) % len(self.names)]
            x = torch.randn(self.batch, self.dim, generator=g)
            y = x @ self.w + SOURCES[name] * torch.randn(self.batch, 1, generator=g)
            yield name, x, y


class Meters:
    def __init__(self):
        self.sums = {}

    def add(self, name, value, count):
        total, n = self.sums.get(name, (0.0, 0))
        self.sums[name] = (total + value * count, n + count)

    def reduce(self):
        means = {}
        for name, (total, n) in self.sums.items():
            t = torch.tensor([total, float(n)], dtype=torch.float64)
            dist.all_reduce(t)  # run: order-differs-between-ranks or collectives-differ
            means[name] = (t[0] / t[1]).item()
        self.sums = {}
        return means


def reweight(means):
    mean = sum(means.values()) / len(means)
    return {name: min(3.0, max(0.3, value / mean)) for name, value in means.items()}


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(7)
    model = DDP(nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 1)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    weights, meters = dict.fromkeys(SOURCES, 1.0), Meters()
    for step, (name, x, y) in enumerate(Mixture(rank, 160), 1):
        loss = (model(x) - y).square().mean()
        optimizer.zero_grad()
        (weights[name] * loss).backward()
        optimizer.step()
        meters.add(name, loss.item(), len(x))
        if step % 40 == 0:
            means = meters.reduce()
            weights = reweight(means)
            if rank == 0:
                print(step, {n: round(v, 2) for n, v in sorted(means.items())}, flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
