"""Slow network between the machines: only the largest entries of a gradient travel, the rest waits in a residual."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class TopK:
    def __init__(self, ratio=0.1):
        self.ratio = ratio
        self.residual = {}

    def take(self, bucket):
        key = tuple(p.data_ptr() for p in bucket.parameters())
        flat = bucket.buffer()
        if key in self.residual:
            flat = flat + self.residual[key]
        k = max(1, int(self.ratio * flat.numel()))
        index = flat.abs().topk(k, sorted=False).indices.sort().values
        values = flat[index]
        rest = flat.clone()
        rest[index] = 0
        self.residual[key] = rest
        return index, values


def hook(state, bucket):
    index, values = state.take(bucket)
    work = dist.all_reduce(values, async_op=True)  # run: ranks-diverge

    def unpack(_):
        out = torch.zeros_like(bucket.buffer())
        out[index] = values / dist.get_world_size()
        return out

    return work.get_future().then(unpack)


def dataset(n=960):
    g = torch.Generator().manual_seed(8)
    x = torch.randn(n, 20, generator=g)
    y = (x[:, :5].sum(1) * x[:, 5]).sign().clamp(min=0).long()
    return TensorDataset(x, y)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(20, 96), nn.ReLU(), nn.Linear(96, 48), nn.ReLU(), nn.Linear(48, 2))
    model = DDP(net)
    model.register_comm_hook(TopK(), hook)
    data = dataset()
    sampler = DistributedSampler(data, seed=4)
    loader = DataLoader(data, batch_size=24, sampler=sampler, drop_last=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(8):
        sampler.set_epoch(epoch)
        total = torch.zeros(())
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()  # run: ranks-diverge
            optimizer.step()  # run: ranks-diverge
            total += loss.detach()
        dist.all_reduce(total)
        if dist.get_rank() == 0:
            print(f"epoch {epoch} loss {total.item() / len(loader) / dist.get_world_size():.4f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
