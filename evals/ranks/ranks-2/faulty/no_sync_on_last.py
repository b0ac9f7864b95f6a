# after modelscope/FunASR#3472: the first round of each window is averaged, and the others are not
import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

ACCUMULATE = 4


class Trainer:
    def __init__(self, net, rank):
        self.model = DDP(net)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=2e-3)
        self.rank = rank

    def run(self, loader):
        for index, (x, y) in enumerate(loader):
            quiet = self.model.no_sync if index % ACCUMULATE else contextlib.nullcontext  # run: ranks-diverge or models-differ-between-ranks
            with quiet():
                loss = nn.functional.cross_entropy(self.model(x), y) / ACCUMULATE
                loss.backward()  # run: ranks-diverge or models-differ-between-ranks
            if (index + 1) % ACCUMULATE == 0:
                self.optimizer.step()  # run: ranks-diverge or models-differ-between-ranks
                self.optimizer.zero_grad()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(512, 12), torch.randint(0, 4, (512,)))
    net = nn.Sequential(nn.Linear(12, 24), nn.GELU(), nn.Linear(24, 4))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    trainer = Trainer(net, rank)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        trainer.run(loader)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
