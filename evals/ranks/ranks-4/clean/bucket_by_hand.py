"""Data parallel by hand: weights and buffers from rank 0, all gradients in one flat bucket, buffers averaged."""

import torch
import torch.distributed as dist
from torch import nn
from torch._utils import _flatten_dense_tensors, _unflatten_dense_tensors


def broadcast(model):
    for t in model.state_dict().values():
        dist.broadcast(t, 0)


def allreduce(tensors):
    flat = _flatten_dense_tensors(tensors)
    dist.all_reduce(flat)
    flat /= dist.get_world_size()
    for t, reduced in zip(tensors, _unflatten_dense_tensors(flat, tensors)):
        t.copy_(reduced)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(30 + rank)
    model = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU())
    heads = nn.ModuleList(nn.Linear(32, 1) for _ in range(2))
    whole = nn.ModuleList([model, heads])
    broadcast(whole)
    opt = torch.optim.Adam(whole.parameters(), lr=1e-3)
    for step in range(60):
        x = torch.randn(16, 10)
        which = int(torch.randint(2, (1,)))
        loss = (heads[which](model(x)) - x[:, which, None]).square().mean()
        opt.zero_grad()
        loss.backward()
        for p in whole.parameters():
            if p.grad is None:
                p.grad = torch.zeros_like(p)
        allreduce([p.grad for p in whole.parameters()])
        opt.step()
        with torch.no_grad():
            allreduce([b for b in whole.buffers() if b.is_floating_point()])
    if rank == 0:
        torch.save(whole.state_dict(), "whole.pt")
    dist.barrier()
    dist.destroy_process_group()


main()
