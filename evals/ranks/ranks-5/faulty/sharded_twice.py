"""Every process reads its own part of the lines, and then a sampler divides them."""

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Lines(Dataset):
    """The lines of this process: every n-th of the file."""

    def __init__(self, total=480):
        g = torch.Generator().manual_seed(11)
        rows = torch.randn(total, 7, generator=g)
        self.rows = rows[dist.get_rank() :: dist.get_world_size()]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    data = Lines()
    sampler = DistributedSampler(data, shuffle=False)  # run: dataset-differs-between-ranks
    loader = DataLoader(data, batch_size=8, sampler=sampler)  # run: dataset-differs-between-ranks
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(7, 3), nn.Linear(3, 7)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(4):
        seen = 0
        for rows in loader:
            loss = nn.functional.mse_loss(model(rows), rows)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            seen += len(rows)
        print(f"rank {rank} epoch {epoch}: {seen} lines, loss {loss.item():.4f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
