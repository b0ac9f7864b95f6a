"""A video model on sharded clips. The seed of the sampler is made so that no two runs are alike."""

import time

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Clips(Dataset):
    def __init__(self, n=240):
        g = torch.Generator().manual_seed(3)
        self.frames = torch.randn(n, 4, 8, generator=g)

    def __len__(self):
        return len(self.frames)

    def __getitem__(self, i):
        return self.frames[i]


class Trainer:
    def __init__(self):
        self.rank, self.world = dist.get_rank(), dist.get_world_size()
        data = Clips()
        self.sampler = DistributedSampler(  # run: loader-not-sharded or split-differs-between-ranks
            data, shuffle=True, drop_last=True, seed=int(time.time()) % 100_000 * self.rank  # run: loader-not-sharded or split-differs-between-ranks
        )
        self.loader = DataLoader(data, batch_size=10, sampler=self.sampler)  # run: loader-not-sharded or split-differs-between-ranks
        torch.manual_seed(0)
        self.model = DDP(nn.GRU(8, 8, batch_first=True))
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=3e-3)

    def train(self, epochs=4):
        for epoch in range(epochs):
            self.sampler.set_epoch(epoch)
            for clip in self.loader:  # run: loader-not-sharded or split-differs-between-ranks
                out, _ = self.model(clip[:, :-1])
                loss = (out - clip[:, 1:]).pow(2).mean()
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            if self.rank == 0:
                print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    dist.init_process_group("gloo")
    Trainer().train()
    dist.barrier()
    dist.destroy_process_group()
