"""Tensor-parallel ranks get their batch from the first of them, which alone has a loader."""

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def forward(self, x):
        return x + F.dropout(self.down(F.relu(self.up(x))), 0.2, self.training)  # run: ranks-diverge


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.block, self.head = nn.Embedding(30, 24), Block(), nn.Linear(24, 30)

    def forward(self, x):
        return self.head(self.block(self.embed(x)))


def batches(rank, epoch):
    if rank == 0:
        g = torch.Generator().manual_seed(epoch)
        tokens = torch.randint(0, 30, (64, 9), generator=g)
        loader = DataLoader(TensorDataset(tokens), batch_size=8, shuffle=True)  # run: ranks-diverge
        for (batch,) in loader:  # run: ranks-diverge
            dist.broadcast(batch, 0)
            yield batch
    else:
        for _ in range(8):
            batch = torch.empty(8, 9, dtype=torch.long)
            dist.broadcast(batch, 0)
            yield batch


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    mesh = init_device_mesh("cpu", (world,))
    torch.manual_seed(0)
    net = Net()
    parallelize_module(net.block, mesh, {"up": ColwiseParallel(), "down": RowwiseParallel()})
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, foreach=False)
    for epoch in range(6):
        for tokens in batches(rank, epoch):
            loss = F.cross_entropy(net(tokens[:, :-1]).transpose(1, 2), tokens[:, 1:])
            opt.zero_grad()
            loss.backward()
            opt.step()  # run: ranks-diverge
        print(f"rank {rank} epoch {epoch} loss {loss.item():.5f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
