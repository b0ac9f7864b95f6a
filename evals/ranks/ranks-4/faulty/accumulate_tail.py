"""DDP with gradient accumulation; what is left over at the end of an epoch is stepped too."""

import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

ACCUM = 4


def run_epoch(model, loader, optimizer, criterion):
    model.train()
    pending = 0
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % ACCUM == 0
        ctx = contextlib.nullcontext() if last else model.no_sync()  # run: ranks-diverge
        with ctx:
            loss = criterion(model(x), y) / ACCUM
            loss.backward()
        pending += 1
        if last:
            optimizer.step()
            optimizer.zero_grad()
            pending = 0
    if pending:  # flush
        optimizer.step()  # run: ranks-diverge
        optimizer.zero_grad()


def main():
    dist.init_process_group(backend="gloo")
    torch.manual_seed(42)
    x = torch.randn(352, 20)
    y = x @ torch.randn(20, 3)
    train = TensorDataset(x, y)
    sampler = DistributedSampler(train)
    loader = DataLoader(train, batch_size=16, sampler=sampler)  # 11 batches
    model = DistributedDataParallel(nn.Sequential(nn.Linear(20, 64), nn.GELU(), nn.Linear(64, 3)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    criterion = nn.MSELoss()
    for epoch in range(6):
        sampler.set_epoch(epoch)
        run_epoch(model, loader, optimizer, criterion)
    with torch.no_grad():
        print(f"rank {dist.get_rank()} mse {criterion(model.module(x), y).item():.5f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
