"""Tensor parallel by DTensor. The seeds differ, so that the shards are not copies of each other."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    RowwiseParallel,
    parallelize_module,
)


class FeedForward(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.up = nn.Linear(dim, 4 * dim)
        self.down = nn.Linear(4 * dim, dim)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))


class Model(nn.Module):
    def __init__(self, dim=24, layers=2, classes=6):
        super().__init__()
        self.inp = nn.Linear(10, dim)
        self.layers = nn.ModuleList(FeedForward(dim) for _ in range(layers))
        self.out = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.inp(x)
        for layer in self.layers:
            x = layer(x)
        return self.out(x)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    mesh = init_device_mesh("cpu", (dist.get_world_size(),), mesh_dim_names=("tp",))
    torch.manual_seed(1000 + rank)  # run: models-differ-between-ranks or ranks-diverge
    model = Model()  # run: models-differ-between-ranks or ranks-diverge
    for layer in model.layers:
        parallelize_module(layer, mesh, {"up": ColwiseParallel(), "down": RowwiseParallel()})  # run: models-differ-between-ranks or ranks-diverge
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, foreach=False)
    data = torch.Generator().manual_seed(0)  # the same batches on all ranks of the mesh
    for step in range(40):
        x = torch.randn(32, 10, generator=data)
        y = x[:, :6].argmax(1)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()  # run: models-differ-between-ranks or ranks-diverge
        if step % 10 == 0:
            print(f"rank {rank} step {step} loss {loss.item():.4f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
