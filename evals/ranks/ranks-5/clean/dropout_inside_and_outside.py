"""Tensor parallel by hand: dropout of the split neurons by an own state, that of the summed output by a common one."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn


class CopyIn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        grad = grad.contiguous().clone()
        dist.all_reduce(grad)
        return grad


class SumOut(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x.clone()
        dist.all_reduce(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad


class Own:
    """The random state of this rank's part."""

    def __init__(self, seed):
        common = torch.get_rng_state()
        torch.manual_seed(seed)
        self.state = torch.get_rng_state()
        torch.set_rng_state(common)

    def __enter__(self):
        self.common = torch.get_rng_state()
        torch.set_rng_state(self.state)

    def __exit__(self, *_):
        self.state = torch.get_rng_state()
        torch.set_rng_state(self.common)


class ParallelMLP(nn.Module):
    def __init__(self, dim, hidden, own):
        super().__init__()
        world, rank = dist.get_world_size(), dist.get_rank()
        up, down = torch.randn(hidden, dim) / dim**0.5, torch.randn(dim, hidden) / hidden**0.5
        self.up = nn.Parameter(up.chunk(world)[rank].clone())
        self.down = nn.Parameter(down.chunk(world, 1)[rank].clone())
        self.own = own

    def forward(self, x):
        h = F.gelu(CopyIn.apply(x) @ self.up.t())
        with self.own:
            h = F.dropout(h, 0.1, self.training)
        return F.dropout(SumOut.apply(h @ self.down.t()), 0.1, self.training)


class Model(nn.Module):
    def __init__(self, own):
        super().__init__()
        self.emb, self.norm = nn.Embedding(40, 32), nn.LayerNorm(32)
        self.mlp, self.head = ParallelMLP(32, 128, own), nn.Linear(32, 40)

    def forward(self, x):
        x = self.emb(x)
        return self.head(x + self.mlp(self.norm(x)))


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = Model(Own(500 + rank))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    data = torch.Generator().manual_seed(9)
    for step in range(60):
        x = torch.randint(0, 40, (8, 12), generator=data)
        loss = F.cross_entropy(model(x).flatten(0, 1), ((x + 1) % 40).flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 19:
            print(f"rank {rank} step {step} loss {loss.item():.4f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
