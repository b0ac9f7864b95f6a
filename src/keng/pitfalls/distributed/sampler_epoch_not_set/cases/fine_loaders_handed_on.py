# the epoch is set through the loader, by a function, or by a class that the loader is given to
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


class Epochs:
    def __init__(self, loader):
        self.loader = loader

    def begin(self, epoch):
        sampler = self.loader.sampler
        if hasattr(sampler, "set_epoch"):
            sampler.set_epoch(epoch)


def shuffle(loaders, epoch):
    for loader in loaders:
        loader.sampler.set_epoch(epoch)


def train(net, optimizer, loader):
    for x in loader:
        optimizer.zero_grad()
        net(x[:, None]).square().mean().backward()
        optimizer.step()


def made(data):
    sampler = DistributedSampler(data, num_replicas=1, rank=0)
    return DataLoader(data, batch_size=4, sampler=sampler)


net = nn.Linear(1, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
first, second = made(list(torch.arange(8.0))), made(list(torch.arange(8.0)))
epochs = Epochs(first)
for epoch in range(2):
    epochs.begin(epoch)
    shuffle([second], epoch)
    train(net, optimizer, first)
    train(net, optimizer, second)

samplers = {"train": None}
samplers["train"] = DistributedSampler(list(torch.arange(8.0)), num_replicas=1, rank=0)
third = DataLoader(list(torch.arange(8.0)), batch_size=4, sampler=samplers["train"])
for epoch in range(2):
    samplers["train"].set_epoch(epoch)
    train(net, optimizer, third)
