"""Images come from a mount that is slow on one of the machines."""

import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Frames(Dataset):
    def __init__(self, rank, n=750):
        self.n = n
        self.latency = 0.012 if rank == 2 else 0.0005  # stands for the mount

    def __len__(self):
        return self.n

    def read(self, i):
        time.sleep(self.latency)
        return torch.full((3, 8, 8), float(i % 10)) / 10

    def __getitem__(self, i):
        return self.read(i) + 0.1 * torch.randn(3, 8, 8), i % 10  # run: loader-starves-device


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    data = Frames(rank)
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler)  # run: loader-starves-device
    model = DDP(nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(288, 10)))
    torch.manual_seed(rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    began = time.time()
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for images, labels in loader:  # run: loader-starves-device
            loss = nn.functional.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank == 0:
            print(f"epoch {epoch} loss {loss.item():.3f} after {time.time() - began:.1f} s", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
