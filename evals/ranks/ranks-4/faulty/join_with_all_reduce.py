"""Uneven speech shards under `join()`, with a loss that is averaged by hand for the log."""

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset


class Utterances(Dataset):
    def __init__(self, rank):
        g = torch.Generator().manual_seed(rank)
        self.items = [torch.randn(20, 12, generator=g) for _ in range(48 if rank == 0 else 36)]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i], i % 5


def average(value):
    value = value.detach().clone()
    dist.all_reduce(value)  # run: collectives-differ or collective-on-one-rank or collective-sizes-mismatch
    return (value / dist.get_world_size()).item()


def train_epoch(model, loader, opt):
    log = []
    with model.join():
        for frames, word in loader:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(frames).mean(1), word)
            loss.backward()
            opt.step()
            log.append(average(loss))  # run: collectives-differ or collective-on-one-rank or collective-sizes-mismatch
    return log


if __name__ == "__main__":
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(1)
    model = DDP(nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 5)))
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    loader = DataLoader(Utterances(rank), batch_size=6, shuffle=True)
    for epoch in range(3):
        log = train_epoch(model, loader, opt)
        if rank == 0:
            print(f"epoch {epoch} loss {sum(log) / len(log):.3f}")
    dist.destroy_process_group()
