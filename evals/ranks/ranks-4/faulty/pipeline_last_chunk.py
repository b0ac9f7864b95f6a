"""Three pipeline stages by hand: activations go down, gradients come back."""

import math

import torch
import torch.distributed as dist
from torch import nn

DIM, BATCH, CHUNK = 16, 20, 8


def stage_of(rank, world):
    layers = [nn.Linear(DIM, DIM), nn.Tanh()]
    return nn.Sequential(*layers, *([nn.Linear(DIM, 1)] if rank == world - 1 else []))


def train_step(stage, x, y, rank, world):
    """x (BATCH, DIM) is used by the first stage, y (BATCH, 1) by the last."""
    first, last = rank == 0, rank == world - 1
    if first:
        chunks = list(x.split(CHUNK))
    else:
        chunks = [torch.empty(CHUNK, DIM) for _ in range(BATCH // CHUNK)]  # run: message-unmatched or collectives-differ or collective-on-one-rank
    kept = []
    for i, chunk in enumerate(chunks):
        if not first:
            dist.recv(chunk, src=rank - 1)  # run: message-unmatched or collectives-differ or collective-on-one-rank
            chunk.requires_grad_()
        out = stage(chunk)
        if last:
            out = nn.functional.mse_loss(out, y[i * CHUNK : i * CHUNK + len(out)])
        else:
            dist.send(out.detach(), dst=rank + 1)  # run: message-unmatched or collectives-differ or collective-on-one-rank
        kept.append((chunk, out))
    for chunk, out in kept:
        if last:
            (out / len(kept)).backward()
        else:
            grad = torch.empty_like(out)
            dist.recv(grad, src=rank + 1)  # run: message-unmatched or collectives-differ or collective-on-one-rank
            out.backward(grad)
        if not first:
            dist.send(chunk.grad, dst=rank - 1)  # run: message-unmatched or collectives-differ or collective-on-one-rank
    return kept[-1][1]


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(rank)
    stage = stage_of(rank, world)
    opt = torch.optim.SGD(stage.parameters(), lr=0.05)
    data = torch.Generator().manual_seed(0)
    for step in range(math.ceil(100 / BATCH)):
        x = torch.randn(BATCH, DIM, generator=data)
        opt.zero_grad()
        out = train_step(stage, x, x.mean(1, keepdim=True), rank, world)
        opt.step()
        if rank == world - 1:
            print(step, out.item(), flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
