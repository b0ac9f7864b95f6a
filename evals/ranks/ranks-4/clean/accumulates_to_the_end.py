"""Gradient accumulation; the last batch of an epoch always synchronizes and steps."""

import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

ACCUM = 4


def run_epoch(model, loader, optimizer, criterion):
    for i, (x, y) in enumerate(loader):
        window = i // ACCUM * ACCUM
        size = min(ACCUM, len(loader) - window)
        steps = i + 1 == window + size
        with contextlib.nullcontext() if steps else model.no_sync():
            (criterion(model(x), y) / size).backward()
        if steps:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(42)
    x = torch.randn(352, 20)
    train = TensorDataset(x, x @ torch.randn(20, 3))
    sampler = DistributedSampler(train)
    loader = DataLoader(train, batch_size=16, sampler=sampler)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(20, 64), nn.GELU(), nn.Linear(64, 3)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(6):
        sampler.set_epoch(epoch)
        run_epoch(model, loader, optimizer, nn.MSELoss())
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
