"""Small images on little memory: the gradient of four batches makes one step."""

import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Stripes(Dataset):
    def __init__(self, n=704, seed=5):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, 4, (n,), generator=g)
        grid = torch.arange(12.0)
        waves = torch.stack([torch.sin(grid * (0.4 + 0.35 * k)) for k in range(4)])
        images = waves[self.labels].unsqueeze(1).repeat(1, 12, 1)
        self.images = (images + 0.8 * torch.randn(images.shape, generator=g)).unsqueeze(1)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.images[i], self.labels[i]


def network():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.GroupNorm(2, 8), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 4),
    )


def train_epoch(model, loader, optimizer, accumulate=4):
    criterion = nn.CrossEntropyLoss()
    total = 0.0
    optimizer.zero_grad()
    for i, (images, labels) in enumerate(loader):
        full = (i + 1) % accumulate == 0
        with contextlib.nullcontext() if full else model.no_sync():
            loss = criterion(model(images), labels)
            (loss / accumulate).backward()
        total += loss.item()
        if full or i + 1 == len(loader):
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()  # run: ranks-diverge
            optimizer.zero_grad()
    return total / len(loader)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(11)
    model = DDP(network())
    data = Stripes()
    sampler = DistributedSampler(data, seed=1)
    loader = DataLoader(data, batch_size=16, sampler=sampler)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(5):
        sampler.set_epoch(epoch)
        loss = torch.tensor(train_epoch(model, loader, optimizer))
        dist.all_reduce(loss)
        if dist.get_rank() == 0:
            print(f"epoch {epoch} loss {loss.item() / dist.get_world_size():.4f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
