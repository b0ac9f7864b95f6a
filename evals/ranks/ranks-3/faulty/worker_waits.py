import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Remote(Dataset):
    """Reads from a bucket; one object's connection was dropped, and nothing sets a time-out."""

    def __len__(self):
        return 64

    def __getitem__(self, index):
        if index == 45:
            time.sleep(600)  # run: loader-hangs
        return torch.full((8,), float(index)) / 64


def main():
    dist.init_process_group("gloo")
    data = Remote()
    sampler = DistributedSampler(data, shuffle=False)
    loader = DataLoader(data, batch_size=4, sampler=sampler, num_workers=1)
    model = DDP(nn.Linear(8, 8))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:  # run: loader-hangs
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
