# a method that all loaders go through sets the epoch where the sampler has one
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


class Trainer:
    def __init__(self, data, distributed):
        self.sampler = None
        if distributed:
            self.sampler = DistributedSampler(data, num_replicas=1, rank=0)
        self.loader = DataLoader(data, batch_size=4, sampler=self.sampler)
        self.net = nn.Linear(1, 1)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.01)

    def batches(self, epoch):
        if self.sampler is not None:
            self.sampler.set_epoch(epoch)
        return self.loader

    def run_epoch(self, epoch):
        for x in self.batches(epoch):
            self.optimizer.zero_grad()
            self.net(x[:, None]).square().mean().backward()
            self.optimizer.step()


trainer = Trainer(list(torch.arange(8.0)), distributed=True)
for epoch in range(2):
    trainer.run_epoch(epoch)
