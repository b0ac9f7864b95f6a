"""Each rank keeps the optimizer states of some parameters; they are collected for the checkpoint and loaded again."""

import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def net():
    return nn.Sequential(nn.Conv1d(1, 8, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2), nn.Conv1d(8, 16, 5, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(64, 4))


def waves(count=640):
    generator = torch.Generator().manual_seed(6)
    kind = torch.randint(4, (count,), generator=generator)
    phase = 6.28 * torch.rand(count, 1, generator=generator)
    time = torch.arange(32) / 32
    wave = torch.sin(6.28 * (2 + 2 * kind[:, None]) * time + phase)
    return (wave + 0.8 * torch.randn(count, 32, generator=generator))[:, None], kind


def build(seed):
    torch.manual_seed(seed)
    model = DDP(net())
    return model, ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, lr=4e-3)


def train(model, optimizer, x, y, epochs):
    rank, world = dist.get_rank(), dist.get_world_size()
    for epoch in epochs:
        total = torch.zeros(1)
        order = torch.randperm(512, generator=torch.Generator().manual_seed(epoch))
        for index in order.split(32 * world):
            mine = index[rank::world]
            loss = F.cross_entropy(model(x[mine]), y[mine])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.detach()
        dist.all_reduce(total)
        if rank == 0 and epoch % 3 == 2:
            with torch.no_grad():
                accuracy = (model.module(x[512:]).argmax(1) == y[512:]).float().mean().item()
            print(f"epoch {epoch + 1} loss {total.item() / world / len(order.split(32 * world)):.4f} accuracy {accuracy:.4f}", flush=True)


def save(path, model, optimizer):
    optimizer.consolidate_state_dict(to=0)
    if dist.get_rank() == 0:
        torch.save({"model": model.module.state_dict(), "optimizer": optimizer.state_dict()}, path)
    dist.barrier()


def load(path, model, optimizer):
    state = torch.load(path, weights_only=True)
    model.module.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])


def main():
    dist.init_process_group("gloo")
    folder = [tempfile.mkdtemp() if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(folder, 0)
    path = os.path.join(folder[0], "state.pt")
    x, y = waves()
    model, optimizer = build(1)
    train(model, optimizer, x, y, range(6))
    save(path, model, optimizer)
    model, optimizer = build(2)
    load(path, model, optimizer)
    train(model, optimizer, x, y, range(6, 12))
    dist.barrier()
    if dist.get_rank() == 0:
        os.remove(path)
        os.rmdir(folder[0])
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
