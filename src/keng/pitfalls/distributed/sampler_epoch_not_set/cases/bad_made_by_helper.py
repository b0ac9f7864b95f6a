# a helper makes loader and sampler for one of two ways to run, and a method goes through the loader
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def make_loader(data, distributed):
    sampler = None
    if distributed:
        sampler = DistributedSampler(data, num_replicas=1, rank=0)  # check: never gets the epoch
    return DataLoader(data, batch_size=4, sampler=sampler, shuffle=sampler is None)


class Trainer:
    def __init__(self, loader):
        self.loader, self.net, self.orders = loader, nn.Linear(1, 1), []
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.01)

    def run_epoch(self):
        order = []
        for x in self.loader:
            self.optimizer.zero_grad()
            self.net(x[:, None]).square().mean().backward()
            self.optimizer.step()
            order += x.tolist()
        self.orders.append(order)


trainer = Trainer(make_loader(list(torch.arange(8.0)), distributed=True))
for epoch in range(2):
    trainer.run_epoch()

# proof
assert trainer.orders[0] == trainer.orders[1]
