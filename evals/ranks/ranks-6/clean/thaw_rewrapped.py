"""Gradual unfreezing of an image model: one more part every two epochs, from the end."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def build():
    return nn.Sequential(
        nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        nn.Sequential(nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten()),
        nn.Linear(64, 4),
    )


def corners(n=960):
    g = torch.Generator().manual_seed(14)
    y = torch.randint(0, 4, (n,), generator=g)
    x = torch.randn(n, 1, 10, 10, generator=g)
    for i, k in enumerate(y.tolist()):
        r, c = divmod(k, 2)
        x[i, 0, 5 * r : 5 * r + 5, 5 * c : 5 * c + 5] += 0.6
    return TensorDataset(x, y)


def open_parts(net, count):
    parts = list(net)
    for i, part in enumerate(parts):
        part.requires_grad_(i >= len(parts) - count)
    trained = [p for p in net.parameters() if p.requires_grad]
    return DDP(net), torch.optim.Adam(trained, lr=3e-3)


def train(model, optimizer, loader):
    total = torch.zeros(2)
    for x, y in loader:
        logits = model(x)
        loss = nn.functional.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += torch.stack([(logits.argmax(1) == y).sum(), torch.tensor(len(y))])
    dist.all_reduce(total)
    return (total[0] / total[1]).item()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(10 + rank)
    net, data = build(), corners()
    sampler = DistributedSampler(data, seed=3)
    loader = DataLoader(data, batch_size=30, sampler=sampler)
    for epoch in range(6):
        if epoch % 2 == 0:
            model, optimizer = open_parts(net, 1 + epoch // 2)
        sampler.set_epoch(epoch)
        accuracy = train(model, optimizer, loader)
        if rank == 0:
            trained = sum(p.numel() for p in net.parameters() if p.requires_grad)
            print(f"epoch {epoch} parameters {trained} accuracy {accuracy:.3f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
