"""Energies and forces of two systems; the number of steps follows from the sampling weights."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

SIZES = torch.tensor([37.0, 91.0])


def estimated_weights(rank):
    """Every process estimates the weights from its own draws."""
    g = torch.Generator().manual_seed(rank)
    drawn = torch.multinomial(SIZES, 4000, replacement=True, generator=g)
    return torch.bincount(drawn, minlength=2) / 4000


def steps_of(epochs, weights, batch=4):
    return int((epochs * SIZES / batch / weights / 2).max())


def validate(net, rank):
    g = torch.Generator().manual_seed(900 + rank)
    error = (net(torch.randn(32, 6, generator=g)) - 1).pow(2).sum().detach()
    dist.all_reduce(error)  # run: collectives-differ or collective-on-one-rank or collective-sizes-mismatch
    return error.item()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    steps = steps_of(5, estimated_weights(rank))
    print(f"rank {rank}: {steps} steps", flush=True)
    torch.manual_seed(0)
    net = DDP(nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 1)))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    full_from = int(0.8 * steps)
    torch.manual_seed(rank)
    for step in range(steps):  # run: collectives-differ or collective-on-one-rank or collective-sizes-mismatch
        x = torch.randn(4, 6)
        loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
        opt.zero_grad()
        loss.backward()  # run: collectives-differ or collective-on-one-rank or collective-sizes-mismatch
        opt.step()
        if step >= full_from:  # run: collectives-differ or collective-on-one-rank or collective-sizes-mismatch
            validate(net.module, rank)  # run: collectives-differ or collective-on-one-rank or collective-sizes-mismatch
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
