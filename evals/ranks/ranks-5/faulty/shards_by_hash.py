"""Shards are shuffled with a seed of the run's name and the epoch, then dealt out to the ranks."""

import random

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, IterableDataset

SHARDS = [f"train-{n:03d}.tar" for n in range(15)]


class Web(IterableDataset):
    def __init__(self, name, rank, world):
        self.name, self.rank, self.world, self.epoch = name, rank, world, 0

    def __iter__(self):
        order = list(SHARDS)
        random.Random(hash((self.name, self.epoch))).shuffle(order)  # run: loader-not-sharded or order-differs-between-ranks
        for shard in order[self.rank :: self.world]:  # run: loader-not-sharded or order-differs-between-ranks
            g = torch.Generator().manual_seed(SHARDS.index(shard))
            yield from torch.randn(20, 10, generator=g)


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    data = Web("vit-small", rank, world)
    loader = DataLoader(data, batch_size=20)  # run: loader-not-sharded or order-differs-between-ranks
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(10, 5), nn.Tanh(), nn.Linear(5, 10)))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(4):
        data.epoch = epoch
        for x in loader:  # run: loader-not-sharded or order-differs-between-ranks
            loss = nn.functional.mse_loss(model(x), x)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if rank == 0:
            print(epoch, loss.item())
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
