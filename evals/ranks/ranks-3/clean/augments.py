import random

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Noisy(Dataset):
    def __init__(self):
        self.rows = torch.randn(128, 16, generator=torch.Generator().manual_seed(0))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = self.rows[index]
        if random.random() < 0.5:
            row = row.flip(0)
        return row + 0.1 * torch.randn(16), row


def worker_init(number):
    random.seed(torch.initial_seed() % 2**32)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(16, 16), nn.Dropout(0.2), nn.Linear(16, 16)))
    torch.manual_seed(1000 + rank)  # from here on ranks draw their own
    random.seed(1000 + rank)
    data = Noisy()
    sampler = DistributedSampler(data, seed=3)
    loader = DataLoader(
        data, batch_size=8, sampler=sampler, num_workers=1, worker_init_fn=worker_init
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for x, clean in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), clean).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
