"""Megatron's column and row parallel layers, written out. Dropout follows the reduced output."""

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


class ParallelMLP(nn.Module):
    def __init__(self, dim, hidden, p):
        super().__init__()
        world, rank = dist.get_world_size(), dist.get_rank()
        part = hidden // world
        whole_up, whole_down = torch.empty(hidden, dim), torch.empty(dim, hidden)
        nn.init.xavier_uniform_(whole_up)
        nn.init.xavier_uniform_(whole_down)
        self.up = nn.Parameter(whole_up[rank * part : (rank + 1) * part].clone())
        self.down = nn.Parameter(whole_down[:, rank * part : (rank + 1) * part].clone())
        self.bias = nn.Parameter(torch.zeros(dim))
        self.p = p

    def forward(self, x):
        h = F.gelu(CopyIn.apply(x) @ self.up.t())
        h = F.dropout(h, self.p, self.training)  # each rank has other neurons
        y = SumOut.apply(h @ self.down.t()) + self.bias
        return F.dropout(y, self.p, self.training)  # run: ranks-diverge


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(40, 32)
        self.norm = nn.LayerNorm(32)
        self.mlp = ParallelMLP(32, 128, 0.1)
        self.head = nn.Linear(32, 40)

    def forward(self, x):
        x = self.emb(x)
        return self.head(x + self.mlp(self.norm(x)))


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = Model()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    torch.manual_seed(500 + rank)  # run: ranks-diverge
    data = torch.Generator().manual_seed(9)
    for step in range(60):
        x = torch.randint(0, 40, (8, 12), generator=data)
        loss = F.cross_entropy(model(x).flatten(0, 1), ((x + 1) % 40).flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()  # run: ranks-diverge
        if step % 20 == 19:
            print(f"rank {rank} step {step} loss {loss.item():.4f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
