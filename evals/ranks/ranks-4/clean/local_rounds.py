"""Federated averaging: each client trains on its own rows, with its own number of batches, then all are averaged."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def client_data(rank):
    g = torch.Generator().manual_seed(rank)
    x = torch.randn([96, 160, 128][rank], 8, generator=g) + rank
    return TensorDataset(x, (x[:, 0] > rank).long())


@torch.no_grad()
def federated_average(model, samples):
    weight = torch.tensor(float(samples))
    total = weight.clone()
    dist.all_reduce(total)
    for t in model.state_dict().values():
        t.mul_(weight / total)
        dist.all_reduce(t)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
    data = client_data(rank)
    torch.manual_seed(rank)
    for round_ in range(5):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
        for _ in range(2):
            for x, y in DataLoader(data, batch_size=16, shuffle=True):
                optimizer.zero_grad()
                F.cross_entropy(model(x), y).backward()
                optimizer.step()
        federated_average(model, len(data))
    with torch.no_grad():
        x, y = data.tensors
        print(f"client {rank}: {(model(x).argmax(1) == y).float().mean():.3f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
