"""A classifier with layers that are split over two ranks, and copies of it for two parts of the data."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from torch.nn import functional as F


class Feed(nn.Module):
    def __init__(self, width=16, hidden=48):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))


class Net(nn.Module):
    def __init__(self, width=16, layers=2, classes=4):
        super().__init__()
        self.enter = nn.Linear(8, width)
        self.blocks = nn.ModuleList(Feed(width) for _ in range(layers))
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = self.enter(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def make_data(count=1000):
    generator = torch.Generator().manual_seed(2)
    x = torch.randn(count, 8, generator=generator)
    return x, (x[:, 0] * x[:, 1] > 0).long() * 2 + (x[:, 2].abs() > x[:, 3].abs()).long()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "tensor"))
    torch.manual_seed(4)
    model = Net()
    for block in model.blocks:
        parallelize_module(block, mesh["tensor"], {"up": ColwiseParallel(), "down": RowwiseParallel()})
        fully_shard(block, mesh=mesh["data"])
    fully_shard(model, mesh=mesh["data"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    x, y = make_data()
    part, parts = mesh["data"].get_local_rank(), mesh["data"].size()
    for epoch in range(5):
        total = torch.zeros(2)
        for index in torch.randperm(800, generator=torch.Generator().manual_seed(epoch)).split(80):
            mine = index[part::parts]
            logits = model(x[mine])
            loss = F.cross_entropy(logits, y[mine])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += torch.stack([loss.detach() * len(mine), torch.tensor(float(len(mine)))])
        dist.all_reduce(total, group=mesh["data"].get_group())
        with torch.no_grad():
            held = slice(800 + 100 * part, 900 + 100 * part)
            right = (model(x[held]).argmax(1) == y[held]).float().sum()
        dist.all_reduce(right, group=mesh["data"].get_group())
        if rank == 0 and epoch % 2 == 0:
            print(f"epoch {epoch} loss {(total[0] / total[1]).item():.4f} accuracy {right.item() / 200:.4f}", flush=True)
    model.reshard()
    whole = sum(p.full_tensor().double().sum().item() for p in model.parameters())
    sums = [None] * dist.get_world_size()
    dist.all_gather_object(sums, round(whole, 6))
    if rank == 0:
        print("sums of the weights", sums, flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
