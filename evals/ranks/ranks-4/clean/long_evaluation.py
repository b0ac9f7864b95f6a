"""Rank 0 evaluates at the end of each epoch, with the plain module; the others wait at a barrier."""

import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def evaluate(net, data):
    net.eval()
    right = 0
    with torch.no_grad():
        for x, y in DataLoader(data, batch_size=20):
            time.sleep(0.05)  # draws figures
            right += (net(x).argmax(1) == y).sum().item()
    net.train()
    return right / len(data)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    x = torch.randn(840, 16)
    y = x[:, :4].argmax(1)
    train, test = TensorDataset(x[:600], y[:600]), TensorDataset(x[600:], y[600:])
    sampler = DistributedSampler(train)
    loader = DataLoader(train, batch_size=25, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 4)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(4):
        sampler.set_epoch(epoch)
        for inputs, labels in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {evaluate(model.module, test):.3f}")
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
