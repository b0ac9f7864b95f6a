"""Rank 0 writes, all wait, all read the same checkpoint and train on."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

PATH = "last.pt"


def save(model, optimizer, epoch):
    if dist.get_rank() == 0:
        state = {"model": model.module.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, PATH + ".tmp")
        os.replace(PATH + ".tmp", PATH)
    dist.barrier()


def build():
    model = nn.Sequential(nn.Linear(6, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, 2))
    model = DDP(nn.SyncBatchNorm.convert_sync_batchnorm(model) if torch.cuda.is_available() else model)
    return model, torch.optim.AdamW(model.parameters(), lr=1e-3)


def train(model, optimizer, loader, sampler, epochs):
    for epoch in epochs:
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        save(model, optimizer, epoch)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(3)
    x = torch.randn(512, 6)
    data = TensorDataset(x, (x.sum(1) > 0).long())
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=64, sampler=sampler)
    model, optimizer = build()
    train(model, optimizer, loader, sampler, range(3))
    model, optimizer = build()
    state = torch.load(PATH, map_location="cpu")
    model.module.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    train(model, optimizer, loader, sampler, range(state["epoch"] + 1, 6))
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
