# Local SGD: every rank trains by itself, the weights are averaged every 5 steps.
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SYNC_EVERY = 5


class LocalSGD:
    def __init__(self, model):
        self.model = model
        self.steps = 0

    def step(self):
        self.steps += 1
        if self.steps % SYNC_EVERY == 0:  # run: collectives-differ or rank-died
            self.average()  # run: collectives-differ or rank-died

    @torch.no_grad()
    def average(self):
        for p in self.model.parameters():
            dist.all_reduce(p)  # run: collectives-differ or rank-died
            p /= dist.get_world_size()


def shard(rank):
    sizes = [160, 160, 136]  # as the files happen to be
    g = torch.Generator().manual_seed(rank)
    x = torch.randn(sizes[rank], 10, generator=g)
    return TensorDataset(x, (x[:, 0] > 0).long())


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 2))
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    sync = LocalSGD(model)
    loader = DataLoader(shard(rank), batch_size=8, shuffle=True)
    for epoch in range(4):
        for x, y in loader:
            opt.zero_grad()
            F.cross_entropy(model(x), y).backward()
            opt.step()
            sync.step()
    print(f"rank {rank} done after {sync.steps} steps", flush=True)
    dist.destroy_process_group()


main()
