"""A block with its sequence split between the ranks of a tensor-parallel group, written with autograd functions."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn


class GatherSequence(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        parts = [torch.empty_like(x) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, x.contiguous())
        return torch.cat(parts, 1)

    @staticmethod
    def backward(ctx, grad):
        grad = grad.contiguous()
        dist.all_reduce(grad)
        return grad.chunk(dist.get_world_size(), 1)[dist.get_rank()].contiguous()


class SumToSequence(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x.contiguous()
        dist.all_reduce(x)
        return x.chunk(dist.get_world_size(), 1)[dist.get_rank()].contiguous()

    @staticmethod
    def backward(ctx, grad):
        parts = [torch.empty_like(grad) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, grad.contiguous())
        return torch.cat(parts, 1)


class Block(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        world, rank = dist.get_world_size(), dist.get_rank()
        self.norm = nn.LayerNorm(dim)  # run: ranks-diverge or averaging-by-hand-incomplete
        up, down = torch.randn(hidden, dim) / dim**0.5, torch.randn(dim, hidden) / hidden**0.5
        self.up = nn.Parameter(up.chunk(world)[rank].clone())
        self.down = nn.Parameter(down.chunk(world, 1)[rank].clone())

    def forward(self, x):
        h = GatherSequence.apply(self.norm(x))
        return x + SumToSequence.apply(F.gelu(h @ self.up.t()) @ self.down.t())


class Model(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.blocks = nn.ModuleList(Block(dim, 64) for _ in range(2))
        self.final = nn.LayerNorm(dim)  # run: ranks-diverge or averaging-by-hand-incomplete

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.final(x)


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    model = Model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for step in range(50):
        g = torch.Generator().manual_seed(step)
        x = torch.randn(8, 12, 16, generator=g)
        mine, target = (t.chunk(world, 1)[rank] for t in (x, x.roll(1, 2)))
        loss = F.mse_loss(model(mine), target)
        optimizer.zero_grad()
        loss.backward()  # run: ranks-diverge or averaging-by-hand-incomplete
        optimizer.step()  # run: ranks-diverge or averaging-by-hand-incomplete
        if step % 10 == 0:
            print(f"rank {rank} step {step} loss {loss.item():.4f}")
    print(f"rank {rank} final norm {model.final.weight.sum().item():.6f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
