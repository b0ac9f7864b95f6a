"""DTensor: norms on their part of the sequence, column and row parallel layers between them."""

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    PrepareModuleInput,
    RowwiseParallel,
    SequenceParallel,
    parallelize_module,
)


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))


class Net(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.embed, self.block = nn.Embedding(20, dim), Block(dim)
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, 20)

    def forward(self, x):
        return self.head(self.norm(self.block(self.embed(x))))


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    mesh = init_device_mesh("cpu", (world,), mesh_dim_names=("tp",))
    torch.manual_seed(0)
    net = Net()
    plan = {
        "embed": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1)),
        "block.norm": SequenceParallel(),
        "block.up": ColwiseParallel(input_layouts=Shard(1)),
        "block.down": RowwiseParallel(output_layouts=Shard(1), use_local_output=False),
        "norm": SequenceParallel(),
        "head": ColwiseParallel(input_layouts=Shard(1), output_layouts=Replicate()),
    }
    plan["block"] = PrepareModuleInput(input_layouts=Shard(1), desired_input_layouts=Shard(1), use_local_output=False)
    parallelize_module(net, mesh, plan)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, foreach=False)
    for step in range(30):
        g = torch.Generator().manual_seed(step)
        x = torch.randint(0, 20, (8, 12), generator=g)
        loss = nn.functional.cross_entropy(net(x).flatten(0, 1), ((x + 1) % 20).flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 10 == 0:
            print(f"rank {rank} step {step} loss {loss.item():.4f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
